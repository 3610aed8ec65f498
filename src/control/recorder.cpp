#include "control/recorder.hpp"

#include <fmt/format.h>

#include "base/log.hpp"

namespace godwit::control {
namespace {

// Whoever cannot write them is not to be buried under them.
constexpr std::size_t kMostKept = 10'000;

}  // namespace

void Recorder::record(const schema::Kind& kind, const schema::Metadata& about, Type type, const std::string& reason,
                      const std::string& message) {
  kinds::Event event;
  event.metadata.name = fmt::format("{}.{:016x}", about.name, random_.next());
  event.metadata.nameSpace = about.nameSpace.empty() ? "default" : about.nameSpace;
  event.involvedObject = {schema::apiVersion(kind), std::string(kind.name), about.nameSpace, about.name, about.uid};
  event.type = type == Type::Normal ? "Normal" : "Warning";
  event.reason = reason;
  event.message = message;
  event.firstTimestamp = event.lastTimestamp = clock_.now();
  if (!due_) return send(event);
  const object::Key key = event.metadata.key();
  {
    const Lock lock(mutex_);
    if (kept_.size() >= kMostKept) return;
    kept_.emplace(key, std::move(event));
  }
  due_(key);
}

void Recorder::write(const object::Key& key) {
  kinds::Event event;
  {
    const Lock lock(mutex_);
    const auto kept = kept_.extract(key);
    if (!kept) return;
    event = kept.mapped();
  }
  send(event);
}

void Recorder::send(const kinds::Event& event) const {
  if (const auto created = client_.create(event); !created)
    log::debug("event {} of {} is lost: {}", event.reason, event.involvedObject.name, created.error().message);
}

}  // namespace godwit::control
