#include "http/doorbell.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace godwit::http {

namespace asio = boost::asio;

void Doorbell::ring() {
  const Lock lock(mutex_);
  if (!answer_ || rung_) return;
  rung_ = true;
  // Posting only queues; under the lock because the io thread may be gone after disconnect().
  asio::post(executor_, [self = shared_from_this()] { self->answer(); });
}

void Doorbell::disconnect() {
  const Lock lock(mutex_);
  answer_ = nullptr;
}

void Doorbell::answer() {
  std::function<void()> answer;
  {
    const Lock lock(mutex_);
    rung_ = false;
    answer = answer_;
  }
  if (answer) answer();
}

void Announcement::make() {
  made_ = true;
  timer_.cancel();
}

asio::awaitable<void> Announcement::wait() {
  boost::system::error_code cancelled;
  while (!made_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  made_ = false;
}

}  // namespace godwit::http
