#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/random.hpp"
#include "client/client.hpp"
#include "control/controller.hpp"
#include "kinds/core.hpp"
#include "schema/metadata.hpp"

namespace godwit::control {

// Tells people what happened to an object, as Events. Best effort: a lost Event changes nothing.
class Recorder {
 public:
  Recorder(const client::Client& client, const Clock& clock, Random& random)
      : client_(client), clock_(clock), random_(random) {}

  enum class Type { Normal, Warning };

  template <class T>
  void record(const T& about, Type type, const std::string& reason, const std::string& message) {
    record(schema::kind<T>, about.metadata, type, reason, message);
  }

  // Events are kept until write() is called for them, and `due` is told; without one each is written at once.
  void keepFor(std::function<void(const object::Key&)> due) { due_ = std::move(due); }
  void write(const object::Key& key);

 private:
  void record(const schema::Kind& kind, const schema::Metadata& about, Type type, const std::string& reason,
              const std::string& message);
  void send(const kinds::Event& event) const;

  const client::Client& client_;
  const Clock& clock_;
  Random& random_;
  std::function<void(const object::Key&)> due_;
  Mutex mutex_;
  std::map<object::Key, kinds::Event> kept_ GUARDED_BY(mutex_);
};

// Writes the Events of a world's recorder, so that whoever has something to tell need not wait for it.
class EventWriter final : public Reconciler {
 public:
  explicit EventWriter(auto& world) : recorder_(world.recorder) {}

  static void listen(auto& world, Controller& controller) {
    world.recorder.keepFor([&](const object::Key& key) { controller.enqueue(key); });
  }

  Result<Again> reconcile(const object::Key& key) override {
    recorder_.write(key);
    return Again{};
  }

 private:
  Recorder& recorder_;
};

}  // namespace godwit::control
