#include "http/feed.hpp"

#include <utility>

namespace godwit::http {
namespace {
// Beyond this the connection is not read from until the consumer takes, so that TCP slows the server down.
constexpr std::size_t kFullBytes = 4 << 20;
}  // namespace

void Feed::add(std::string bytes) {
  {
    const Lock lock(mutex_);
    size_ += bytes.size();
    chunks_.push_back(std::make_shared<const std::string>(std::move(bytes)));
  }
  wakeUp();
}

void Feed::end(bool broken) {
  {
    const Lock lock(mutex_);
    ended_ = true;
    broken_ = broken;
  }
  wakeUp();
}

bool Feed::isFull() const {
  const Lock lock(mutex_);
  return size_ >= kFullBytes;
}

bool Feed::isAbandoned() const {
  const Lock lock(mutex_);
  return abandoned_;
}

Stream::Taken Feed::take() {
  const Lock lock(mutex_);
  size_ = 0;
  return {.chunks = std::exchange(chunks_, {}), .ended = ended_, .broken = broken_};
}

void Feed::whenReady(std::function<void()> wake) {
  {
    const Lock lock(mutex_);
    if (chunks_.empty() && !ended_) {
      wake_ = std::move(wake);
      return;
    }
  }
  wake();
}

void Feed::abandon() {
  std::function<void()> forgotten;
  const Lock lock(mutex_);
  abandoned_ = true;
  forgotten.swap(wake_);
}

void Feed::wakeUp() {
  std::function<void()> wake;
  {
    const Lock lock(mutex_);
    wake.swap(wake_);
  }
  if (wake) wake();
}

FeedStream::~FeedStream() {
  feed_->abandon();
  bell_->ring();
}

Stream::Taken FeedStream::take() {
  const bool makesRoom = feed_->isFull();
  Taken taken = feed_->take();
  if (makesRoom) bell_->ring();
  return taken;
}

}  // namespace godwit::http
