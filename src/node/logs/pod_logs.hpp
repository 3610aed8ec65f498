#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "http/message.hpp"
#include "kinds/pod.hpp"
#include "node/logs/followers.hpp"
#include "node/logs/options.hpp"

namespace godwit::node::logs {

// What a pod has said, and where.
struct Log {
  std::string file;
  std::uint64_t begin = 0;  // of the pod's part of it
  bool timed = false;       // every line begins with the time at which it was written
};

// Whether nothing of the pod has begun yet.
bool isWaiting(const kinds::Pod& pod);

// The logs of the pods of this node.
class PodLogs {
 public:
  using FindPod = std::function<std::shared_ptr<const kinds::Pod>(const object::Key&)>;
  using Source = std::function<Result<Log>(const kinds::Pod&)>;

  static Result<std::unique_ptr<PodLogs>> open(FindPod findPod);

  // How to find the log of pods with that word in the label "kubevirt.io". Before the first stream().
  void add(std::string_view app, Source source) { sources_.emplace(app, std::move(source)); }

  void podChanged(const object::Key& pod) { followers_->podChanged(pod); }

  struct Wanted {
    object::Key pod;
    std::string container;
  };
  // NotFound: there is no such pod here, or no such container. Invalid: it has not started yet, or the log cannot be
  // given as the options want it.
  Result<std::unique_ptr<http::Stream>> stream(const Wanted& wanted, const Options& options) const;

 private:
  PodLogs(FindPod findPod, std::unique_ptr<Followers> followers)
      : findPod_(std::move(findPod)), followers_(std::move(followers)) {}

  Result<std::shared_ptr<const kinds::Pod>> startedPod(const Wanted& wanted) const;
  Result<Log> logOf(const kinds::Pod& pod) const;
  std::function<bool()> endOf(const kinds::Pod& pod) const;

  const FindPod findPod_;
  const std::unique_ptr<Followers> followers_;
  std::map<std::string, Source, std::less<>> sources_;
};

}  // namespace godwit::node::logs
