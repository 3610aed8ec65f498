#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/descriptor.hpp"
#include "importer/bytes.hpp"

// How an image gets into an importer: a socket in the errand's directory, to which whoever has the image connects. The
// sender says how long it is, then sends pieces, each after its length; an empty piece is the end, so that a sender who
// dies is not taken for one who is done. The importer answers once.
namespace godwit::importer {

// Asked at least once a second while nothing comes; an error of its own ends the wait.
using Idle = std::function<Result<>()>;

// What one sender sends.
class Shipment {
 public:
  std::int64_t total() const { return total_; }  // bytes; 0: nobody knows
  // Whether it has come to its end; not so when the sender has left before, or is silent for too long.
  Result<bool> read(const Sink& into, const Idle& idle) const;
  // Whether all has come and is kept. Nobody may be there to hear it.
  void answer(const Result<>& outcome) const;

 private:
  friend class Inlet;
  explicit Shipment(Descriptor socket) : socket_(std::move(socket)) {}

  Result<bool> readExactly(char* to, std::size_t size, const Idle& idle) const;

  Descriptor socket_;
  std::int64_t total_ = 0;
};

class Inlet {
 public:
  static Result<Inlet> open(const std::string& directory);
  Inlet(Inlet&&) = default;
  // Nobody finds it any more.
  ~Inlet();

  Result<Shipment> accept(const Idle& idle) const;

 private:
  Inlet(std::string path, Descriptor socket) : path_(std::move(path)), socket_(std::move(socket)) {}

  std::string path_;
  Descriptor socket_;
};

// The other end. To go before finish() has returned is to break it off.
class Sender {
 public:
  // Unavailable when no importer listens there.
  static Result<Sender> reach(const std::string& directory, std::int64_t total);

  // Invalid, in the importer's words, when it cannot use the image; Unavailable when it has gone. Both are the end.
  Result<> send(std::string_view bytes) const;
  // The same, once the importer has kept all of it.
  Result<> finish() const;

 private:
  explicit Sender(Descriptor socket) : socket_(std::move(socket)) {}

  Result<> answer() const;

  Descriptor socket_;
};

}  // namespace godwit::importer
