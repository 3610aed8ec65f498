#include "node/logs/pod_logs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kinds/words.hpp"
#include "node/logs/log_file.hpp"
#include "node/logs/log_stream.hpp"

namespace godwit::node::logs {
namespace {

bool hasContainer(const kinds::Pod& pod, const std::string& name) {
  const auto& containers = pod.spec.containers;
  return std::any_of(containers.begin(), containers.end(),
                     [&](const auto& container) { return container.name == name; });
}

Failure waiting(const PodLogs::Wanted& wanted) {
  return fail(Code::Invalid, fmt::format("container \"{}\" in pod \"{}\" is waiting to start: ContainerCreating",
                                         wanted.container, wanted.pod.name));
}

// A container is never started a second time, so there is no previous one.
Result<> check(const PodLogs::Wanted& wanted, const Options& options, const Log& log) {
  if (options.previous)
    return fail(Code::Invalid, fmt::format("previous terminated container \"{}\" in pod \"{}\" not found",
                                           wanted.container, wanted.pod.name));
  if (!log.timed && (options.since || options.timestamps))
    return fail(Code::Invalid,
                fmt::format("the log of pod \"{}\" is a serial console, which carries no times: {} cannot "
                            "be honoured, tailLines can",
                            wanted.pod.name, options.since ? "sinceSeconds and sinceTime" : "timestamps"));
  return {};
}

// Of what the log has by now.
Result<Span> spanOf(LogFile& file, const Log& log, const Options& options) {
  const std::uint64_t end = TRY(file.size());
  // It has been cut off since the mark was made.
  Span span{log.begin <= end ? log.begin : 0, end};
  if (options.tailLines) span.begin = TRY(startOfLastLines(file, span, *options.tailLines));
  if (options.since) span.begin = TRY(startOfLinesSince(file, span, *options.since));
  return span;
}

}  // namespace

bool isWaiting(const kinds::Pod& pod) {
  return pod.status.phase.empty() || pod.status.phase == kinds::pod_phase::kPending;
}

Result<std::unique_ptr<PodLogs>> PodLogs::open(FindPod findPod) {
  auto followers = TRY(Followers::open());
  return std::unique_ptr<PodLogs>(new PodLogs(std::move(findPod), std::move(followers)));
}

Result<std::unique_ptr<http::Stream>> PodLogs::stream(const Wanted& wanted, const Options& options) const {
  const auto pod = TRY(startedPod(wanted));
  const Log log = TRY(logOf(*pod));
  TRY(check(wanted, options, log));
  const auto follower = std::make_shared<Follower>();
  if (options.follow) {
    const auto added = followers_->add(log.file, wanted.pod, follower);
    if (!added) return added.error().code == Code::NotFound ? waiting(wanted) : fail(added.error());
  }
  LogFile file(log.file);
  const Span span = TRY(spanOf(file, log, options));
  LogStream::Plan plan;
  plan.offset = span.begin;
  // Who does not follow a log gets what it has when they ask, however fast it grows.
  if (!options.follow) plan.limit = span.size();
  if (options.limitBytes) plan.limit = std::min(plan.limit, static_cast<std::uint64_t>(*options.limitBytes));
  plan.isOver = options.follow ? endOf(*pod) : [] { return true; };
  return std::make_unique<LogStream>(std::move(file), std::move(plan), follower);
}

Result<std::shared_ptr<const kinds::Pod>> PodLogs::startedPod(const Wanted& wanted) const {
  auto pod = findPod_(wanted.pod);
  if (!pod) return fail(Code::NotFound, fmt::format("pod \"{}\" does not exist", wanted.pod.name));
  if (!hasContainer(*pod, wanted.container))
    return fail(Code::NotFound,
                fmt::format("container \"{}\" not found in pod \"{}\"", wanted.container, wanted.pod.name));
  if (isWaiting(*pod)) return waiting(wanted);
  return pod;
}

Result<Log> PodLogs::logOf(const kinds::Pod& pod) const {
  const auto source = sources_.find(object::valueOf(pod.metadata.labels, kinds::words::kApp));
  if (source == sources_.end())
    return fail(Code::NotFound, fmt::format("pod \"{}\" is of a kind that keeps no log", pod.metadata.name));
  return source->second(pod);
}

std::function<bool()> PodLogs::endOf(const kinds::Pod& pod) const {
  return [this, key = pod.metadata.key(), uid = pod.metadata.uid] {
    const auto now = findPod_(key);
    return !now || now->metadata.uid != uid || now->ended();
  };
}

}  // namespace godwit::node::logs
