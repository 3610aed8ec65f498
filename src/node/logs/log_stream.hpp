#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "http/message.hpp"
#include "node/logs/followers.hpp"
#include "node/logs/log_file.hpp"

namespace godwit::node::logs {

// A log on its way to who asked for it: what the file has from an offset on, and what comes until it is over. It is
// read only as fast as it is taken.
class LogStream final : public http::Stream {
 public:
  struct Plan {
    std::uint64_t offset = 0;
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  // of bytes
    std::function<bool()> isOver;  // nothing more will be written; asked again and again
  };

  // The follower is told when the file grows, or may be over; to begin with it is taken as told.
  LogStream(LogFile file, Plan plan, std::shared_ptr<Follower> follower)
      : file_(std::move(file)), plan_(std::move(plan)), follower_(std::move(follower)) {}

  Taken take() override;
  void whenReady(std::function<void()> wake) override { follower_->whenTold(std::move(wake)); }

 private:
  Result<std::string> readOn();

  LogFile file_;
  Plan plan_;
  const std::shared_ptr<Follower> follower_;
};

}  // namespace godwit::node::logs
