#pragma once

#include <poll.h>
#include <sys/eventfd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// A question asked on a thread of its own, because its answer may take longer than anybody
// can wait. Destroying it waits all the same.
template <class T>
class Inquiry {
 public:
  explicit Inquiry(std::function<Result<T>()> question) : answered_(eventfd(0, EFD_CLOEXEC)) {
    thread_ = std::jthread([this, question = std::move(question)] { ask(question); });
  }

  // Readable once there is an answer.
  int descriptor() const { return answered_.number(); }

  std::optional<Result<T>> answer() {
    const Lock lock(mutex_);
    return answer_;
  }

  std::optional<Result<T>> answerWithin(std::chrono::milliseconds patience) {
    pollfd awaited{.fd = descriptor(), .events = POLLIN, .revents = 0};
    poll(&awaited, 1, static_cast<int>(patience.count()));
    return answer();
  }

 private:
  void ask(const std::function<Result<T>()>& question) {
    auto answer = question();
    {
      const Lock lock(mutex_);
      answer_ = std::move(answer);
    }
    eventfd_write(answered_.number(), 1);
  }

  Descriptor answered_;
  Mutex mutex_;
  std::optional<Result<T>> answer_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

// Keeps the inquiries that nobody waits for any more until they are answered.
template <class T>
class Inquiries {
 public:
  std::shared_ptr<Inquiry<T>> begin(std::function<Result<T>()> question) {
    auto inquiry = std::make_shared<Inquiry<T>>(std::move(question));
    std::vector<std::shared_ptr<Inquiry<T>>> over;
    const Lock lock(mutex_);
    std::vector<std::shared_ptr<Inquiry<T>>> open = {inquiry};
    for (auto& earlier : open_) (earlier->answer() ? over : open).push_back(std::move(earlier));
    open_ = std::move(open);
    return inquiry;
  }

 private:
  Mutex mutex_;
  std::vector<std::shared_ptr<Inquiry<T>>> open_ GUARDED_BY(mutex_);
};

}  // namespace godwit::hypervisor::libvirt
