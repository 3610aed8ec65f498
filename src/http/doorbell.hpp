#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/mutex.hpp"

namespace godwit::http {

// Lets any thread call into the io thread, also after whoever would answer has gone.
class Doorbell : public std::enable_shared_from_this<Doorbell> {
 public:
  Doorbell(boost::asio::any_io_executor executor, std::function<void()> answer)
      : executor_(std::move(executor)), answer_(std::move(answer)) {}

  // From any thread. Rings before the answer count once.
  void ring();
  // On the io thread; from here on nobody answers, and the io thread may end.
  void disconnect();

 private:
  void answer();

  const boost::asio::any_io_executor executor_;
  Mutex mutex_;
  std::function<void()> answer_ GUARDED_BY(mutex_);
  bool rung_ GUARDED_BY(mutex_) = false;
};

// Something a coroutine waits for and others on the io thread announce. An announcement with nobody waiting is kept.
class Announcement {
 public:
  explicit Announcement(const boost::asio::any_io_executor& executor)
      : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

  void make();
  boost::asio::awaitable<void> wait();

 private:
  boost::asio::steady_timer timer_;
  bool made_ = false;
};

}  // namespace godwit::http
