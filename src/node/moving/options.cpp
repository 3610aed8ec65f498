#include "node/moving/options.hpp"

#include "base/log.hpp"
#include "base/quantity.hpp"
#include "kinds/words.hpp"
#include "object/document.hpp"
#include "schema/read.hpp"

namespace godwit::node::moving {

Result<mover::Options> optionsFrom(const kinds::MigrationOptions& chosen) {
  mover::Options options;
  options.bandwidthBytesPerSecond = TRY(parseQuantity(chosen.bandwidthPerMigration.value_or("0")));
  options.maxDowntimeMs = chosen.maxDowntimeMs.value_or(options.maxDowntimeMs);
  options.completionTimeoutPerGiB = chosen.completionTimeoutPerGiB.value_or(options.completionTimeoutPerGiB);
  options.progressTimeout = chosen.progressTimeout.value_or(options.progressTimeout);
  options.autoConverge = chosen.allowAutoConverge.value_or(false);
  options.disruption = chosen.allowWorkloadDisruption.value_or(chosen.allowPostCopy.value_or(false));
  options.postCopy = options.disruption && chosen.allowPostCopy.value_or(false);
  options.holdSwitchOver = chosen.holdSwitchOver.value_or(false);
  return options;
}

std::optional<mover::Options> optionsOf(const kinds::Pod& pod) {
  const std::string text = object::valueOf(pod.metadata.annotations, kinds::words::kMigrationOptions);
  if (text.empty()) return std::nullopt;
  const auto options = object::parseDocument(text)
                           .and_then([](const object::Document& said) {
                             return schema::parse<kinds::MigrationOptions>(json::value(said));
                           })
                           .and_then(optionsFrom);
  if (options) return *options;
  log::warn("{}: the options of the migration cannot be read: {}", pod.metadata.name, options.error().message);
  return std::nullopt;
}

}  // namespace godwit::node::moving
