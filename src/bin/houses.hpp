#pragma once

#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "base/bell.hpp"
#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/directory_watch.hpp"
#include "base/lookout.hpp"
#include "base/mutex.hpp"
#include "bin/layout.hpp"
#include "bin/wiring.hpp"

namespace godwit::bin {

struct HousesConfig {
  Layout layout;
  std::string program;
  Wiring wiring;
  std::chrono::seconds certificateLife;
};

// The nodes of one `up`: started, watched, and started again when somebody asks for it. When the first process of a
// node has ended the kernel has ended all others, so the death of a node is known here, and the API is told.
class Houses {
 public:
  static Result<std::unique_ptr<Houses>> open(HousesConfig config);

  // A node that an earlier `up` has left running goes on as it is, guests included.
  Result<> start(const std::string& name);
  // Until told to stop.
  void keep(std::stop_token stop);

 private:
  Houses(HousesConfig config, DirectoryWatch watch) : config_(std::move(config)), watch_(std::move(watch)) {}

  Result<> watch(const std::string& name, Descriptor process);
  void noteDeath(const std::string& name);
  Result<> settle();
  Result<pid_t> build(const std::string& name);
  Result<> renewCertificate(const std::string& name);
  Result<> renewCertificates();
  std::map<std::string, bool> dead();

  const HousesConfig config_;
  const Layout& layout_ = config_.layout;
  const SystemClock clock_;
  DirectoryWatch watch_;
  Bell bell_;
  Mutex mutex_;
  std::map<std::string, Descriptor> living_ GUARDED_BY(mutex_);
  std::set<std::string> untold_ GUARDED_BY(mutex_);      // whose daemons may have certificates of before
  std::map<std::string, bool> dead_ GUARDED_BY(mutex_);  // and whether the API has been told
  std::unique_ptr<Lookout> lookout_;                     // last, so that its calls end before the rest does
};

}  // namespace godwit::bin
