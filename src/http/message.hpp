#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

// What goes over the wire, without the wire: these types carry no socket and no
// coroutine, so the whole API can also be spoken inside one process.
namespace godwit::http {

// Header names in lower case.
using Headers = std::map<std::string, std::string, std::less<>>;

// Who a verified client certificate says is calling.
struct PeerCertificate {
  std::string commonName;
  std::vector<std::string> organizations = {};
};

using Chunk = std::shared_ptr<const std::string>;

// A body that is written as it happens. Destroying it ends it for both sides.
class Stream {
 public:
  struct Taken {
    std::vector<Chunk> chunks;  // empty when there is nothing yet
    bool ended = false;
    bool broken = false;  // it has ended before all of it had come
  };

  virtual ~Stream() = default;
  virtual Taken take() = 0;
  // Calls `wake` once, from any thread, as soon as take() has something to say; at once if it already has.
  virtual void whenReady(std::function<void()> wake) = 0;
};

struct Request {
  std::string method = "GET";
  std::string target = {};  // path and query, percent-encoded, as on the request line
  Headers headers = {};
  std::string body = {};
  std::optional<PeerCertificate> peer = {};
  std::shared_ptr<Stream> stream = {};  // instead of body
};

struct Response {
  int status = 200;
  Headers headers = {};
  std::string body = {};
  std::unique_ptr<Stream> stream = {};  // instead of body
};

// Answers requests; called from several threads.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual Response handle(const Request& request) = 0;
  // Whether it takes the body of such a request as a stream, however long it is. Only the head is there yet, and nobody
  // has looked who is calling. Must not block.
  virtual bool takesStream(const Request&) const { return false; }
};

// Carries requests to a Handler, near or far. An error means that no answer came:
// the request may or may not have been carried out.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual Result<Response> send(const Request& request) = 0;
};

}  // namespace godwit::http
