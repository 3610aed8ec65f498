#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "base/result.hpp"
#include "hypervisor/libvirt/event_loop.hpp"
#include "hypervisor/libvirt/handle.hpp"
#include "hypervisor/libvirt/inquiry.hpp"
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"

namespace godwit::hypervisor::libvirt {

// The connections to one daemon: one on which events come, and as many others as there are calls at a
// time. libvirt allows several calls on one, but lets them wait for each other: a long one does not
// notice for seconds that another has come.
class Session {
 public:
  Session(EventLoop& loop, const LibvirtConfig& config);
  // All that was borrowed must be back.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // A connection that was alive a moment ago, for one caller; it is given back when the last copy is let go of.
  Result<Connection> connection();
  Result<Domain> find(const std::string& domain);

  // What `ask` learns; it is asked once more when its connection dies meanwhile. Only for
  // questions: nobody knows whether an act was done before its connection died.
  template <class Ask>
  auto learn(Ask ask) -> decltype(ask(std::declval<const Connection&>())) {
    const Connection first = TRY(connection());
    auto answer = ask(first);
    if (answer || virConnectIsAlive(first.get()) == 1) return answer;
    const Connection second = TRY(connection());
    return ask(second);
  }

  // Called on the loop's thread with the name of every domain about which there was an event,
  // and with all names after a new connection: what happened in between nobody has told.
  void whenChanged(std::function<void(const std::string&)> changed);

  // As the event that told of it said; Unknown when none has come.
  Ending endingOf(const std::string& domain);

 private:
  // Opens a connection, on a thread of its own because libvirt knows no deadline there.
  Result<Connection> open();
  Result<Connection> takeIdle();
  void giveBack(const Connection& connection);
  Result<> keepSubscribed();
  void notify(const std::string& domain);
  void notifyOfAll(const Connection& connection);
  static void onEvent(virDomain* domain, void* session);
  void remember(const std::string& domain, int event, int detail);
  Result<Connection> subscribe(const Connection& connection);

  EventLoop& loop_;
  const LibvirtConfig config_;
  Mutex mutex_;
  Connection subscribed_ GUARDED_BY(mutex_);
  std::vector<Connection> idle_ GUARDED_BY(mutex_);
  std::function<void(const std::string&)> changed_ GUARDED_BY(mutex_);
  std::map<std::string, Ending> endings_ GUARDED_BY(mutex_);  // of domains that ended by themselves
  Inquiries<Connection> opening_;
};

// Waits for a deaf daemon for as long as the configuration says, unless libvirt does for longer.
Result<Connection> openConnection(const LibvirtConfig& config);
// The same without a question beforehand.
Result<Connection> openQuietly(const std::string& uri, const LibvirtConfig& config);

// All domains that run or stand still there.
Result<std::vector<Domain>> activeDomains(const Connection& connection);

}  // namespace godwit::hypervisor::libvirt
