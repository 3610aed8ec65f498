#pragma once

#include <memory>

#include "base/bell.hpp"
#include "http/message.hpp"

namespace godwit::http {

// Blocks until the stream has something to say, or has ended.
inline Stream::Taken awaitNext(Stream& stream) {
  const auto bell = std::make_shared<Bell>();
  stream.whenReady([bell] { bell->ring(); });
  bell->wait({});
  return stream.take();
}

}  // namespace godwit::http
