#include "control/recorder.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "kinds/core.hpp"

namespace godwit::control {

void Recorder::record(const schema::Kind& kind, const schema::Metadata& about, Type type, const std::string& reason,
                      const std::string& message) const {
  kinds::Event event;
  event.metadata.name = fmt::format("{}.{:016x}", about.name, random_.next());
  event.metadata.nameSpace = about.nameSpace.empty() ? "default" : about.nameSpace;
  event.involvedObject = {schema::apiVersion(kind), std::string(kind.name), about.nameSpace, about.name, about.uid};
  event.type = type == Type::Normal ? "Normal" : "Warning";
  event.reason = reason;
  event.message = message;
  event.firstTimestamp = event.lastTimestamp = clock_.now();
  if (const auto created = client_.create(event); !created)
    log::debug("event {} of {} is lost: {}", reason, about.name, created.error().message);
}

}  // namespace godwit::control
