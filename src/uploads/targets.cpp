#include "uploads/targets.hpp"

#include <fmt/format.h>

#include "kinds/pod.hpp"
#include "kinds/words.hpp"
#include "schema/read.hpp"

namespace godwit::uploads {
namespace {

namespace words = kinds::words;

template <class T>
const apiserver::Resource& resourceOf(const apiserver::Catalog& catalog) {
  const schema::Kind& kind = schema::kind<T>;
  return *catalog.find(kind.group, kind.version, kind.plural);
}

}  // namespace

Targets::Targets(apiserver::Objects& objects, const apiserver::Catalog& catalog)
    : objects_(objects),
      claims_(resourceOf<kinds::PersistentVolumeClaim>(catalog)),
      volumes_(resourceOf<kinds::DataVolume>(catalog)),
      pods_(resourceOf<kinds::Pod>(catalog)) {}

Result<Target> Targets::target(const object::Key& key) const {
  Target target;
  target.claim = schema::view<kinds::PersistentVolumeClaim>(TRY(objects_.get(claims_, key)));
  const auto volume = objects_.get(volumes_, key);
  if (!volume && volume.error().code != Code::NotFound) return fail(volume.error());
  if (volume) target.volume = schema::view<kinds::DataVolume>(*volume);
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
