#pragma once

#include <string>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "client/client.hpp"
#include "schema/metadata.hpp"

namespace godwit::control {

// Tells people what happened to an object, as Events. Best effort: a lost Event changes nothing.
class Recorder {
 public:
  Recorder(const client::Client& client, const Clock& clock, Random& random)
      : client_(client), clock_(clock), random_(random) {}

  enum class Type { Normal, Warning };

  template <class T>
  void record(const T& about, Type type, const std::string& reason, const std::string& message) const {
    record(schema::kind<T>, about.metadata, type, reason, message);
  }

 private:
  void record(const schema::Kind& kind, const schema::Metadata& about, Type type, const std::string& reason,
              const std::string& message) const;

  const client::Client& client_;
  const Clock& clock_;
  Random& random_;
};

}  // namespace godwit::control
