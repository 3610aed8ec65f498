#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/mutex.hpp"
#include "http/doorbell.hpp"
#include "http/message.hpp"

namespace godwit::http {

// Bytes on their way from the io thread to whoever holds the stream.
class Feed {
 public:
  // For the io thread.
  void add(std::string bytes);
  void end(bool broken = false);
  bool isFull() const;
  bool isAbandoned() const;

  // For the consumer.
  Stream::Taken take();
  void whenReady(std::function<void()> wake);
  void abandon();

 private:
  void wakeUp();

  mutable Mutex mutex_;
  std::vector<Chunk> chunks_ GUARDED_BY(mutex_);
  std::size_t size_ GUARDED_BY(mutex_) = 0;
  std::function<void()> wake_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
  bool broken_ GUARDED_BY(mutex_) = false;
  bool abandoned_ GUARDED_BY(mutex_) = false;
};

// The consumer's end of a feed. Rings when it makes room, and when it goes.
class FeedStream final : public Stream {
 public:
  FeedStream(std::shared_ptr<Feed> feed, std::shared_ptr<Doorbell> bell)
      : feed_(std::move(feed)), bell_(std::move(bell)) {}
  ~FeedStream() override;

  Taken take() override;
  void whenReady(std::function<void()> wake) override { feed_->whenReady(std::move(wake)); }

 private:
  const std::shared_ptr<Feed> feed_;
  const std::shared_ptr<Doorbell> bell_;
};

}  // namespace godwit::http
