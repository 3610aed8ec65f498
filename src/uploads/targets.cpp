#include "uploads/targets.hpp"

#include <fmt/format.h>

#include "kinds/pod.hpp"
#include "kinds/words.hpp"
#include "schema/read.hpp"

namespace godwit::uploads {
namespace {

namespace words = kinds::words;

}  // namespace

Targets::Targets(apiserver::Objects& objects, const apiserver::Catalog& catalog)
    : objects_(objects),
      claims_(catalog.at(schema::kind<kinds::PersistentVolumeClaim>)),
      volumes_(catalog.at(schema::kind<kinds::DataVolume>)),
      pods_(catalog.at(schema::kind<kinds::Pod>)) {}

Result<Target> Targets::target(const object::Key& key) const {
  Target target;
  target.claim = schema::view<kinds::PersistentVolumeClaim>(TRY(objects_.get(claims_, key)));
  if (auto volume = TRY(objects_.find<kinds::DataVolume>(volumes_, key))) target.volume = std::move(*volume);
  if (!target.volume.spec.source.upload)
    return fail(Code::Conflict, fmt::format("claim {} is not filled by an upload; make a DataVolume with \"source: "
                                            "{{upload: {{}}}}\", which makes a claim of its own name",
                                            key.name));
  if (target.volume.status.phase == kinds::DataVolumePhase::Succeeded)
    return fail(Code::Conflict, fmt::format("claim {} has been filled already", key.name));
  return target;
}

Result<bool> Targets::isFilled(const object::Key& claim) const {
  const auto volume = schema::view<kinds::DataVolume>(TRY(objects_.get(volumes_, claim)));
  return volume.status.phase == kinds::DataVolumePhase::Succeeded;
}

Result<object::Document> Targets::listener(const Target& target) const {
  const kinds::DataVolume& volume = target.volume;
  const kinds::Condition* running = kinds::findCondition(volume.status.conditions, "Running");
  if (volume.status.phase != kinds::DataVolumePhase::UploadReady)
    return fail(Code::Unavailable, fmt::format("DataVolume {} is {}, and takes an image once it is UploadReady{}",
                                               volume.metadata.name, schema::nameOf(volume.status.phase),
                                               running && !running->message.empty() ? ": " + running->message : ""));
  const std::string name = object::valueOf(target.claim.metadata.annotations, words::kUploadPod);
  return objects_.get(pods_, {volume.metadata.nameSpace, name});
}

}  // namespace godwit::uploads
