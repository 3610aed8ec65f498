#include "node/logs/log_stream.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace godwit::node::logs {
namespace {
constexpr std::uint64_t kMostAtOnce = 64 << 10;
}  // namespace

http::Stream::Taken LogStream::take() {
  follower_->settle();
  // Asked before the file is read: what was written before the end is then seen together with it.
  const bool over = plan_.isOver();
  Result<std::string> bytes = readOn();
  if (!bytes) log::warn("a log ends early: {}", bytes.error().message);
  if (!bytes || (over && bytes->empty())) return {.chunks = {}, .ended = true};
  if (bytes->empty()) return {};
  plan_.offset += bytes->size();
  plan_.limit -= bytes->size();
  follower_->tell();
  return {.chunks = {std::make_shared<const std::string>(std::move(*bytes))}, .ended = plan_.limit == 0};
}

Result<std::string> LogStream::readOn() {
  // Somebody has cut it off, and it grows again from its beginning.
  if (TRY(file_.size()) < plan_.offset) plan_.offset = 0;
  return file_.read(plan_.offset, std::min(kMostAtOnce, plan_.limit));
}

}  // namespace godwit::node::logs
