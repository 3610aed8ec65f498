#include "controllers/volume_migration/offline/copies.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "controllers/importer_pod.hpp"
#include "controllers/owner.hpp"
#include "controllers/volume_migration/destinations.hpp"
#include "controllers/volume_migration/offline/judge.hpp"
#include "kinds/calling_off.hpp"
#include "kinds/words.hpp"
#include "schema/read.hpp"

namespace godwit::controllers::volume_migration::offline {
namespace {

namespace words = kinds::words;

constexpr std::size_t kLettersOfWish = 180;

std::string prefixOf(const kinds::VolumeMigration& wish, std::int64_t attempt) {
  return fmt::format("{}-{}-{}-{}-", words::kAppImporter, wish.metadata.name.substr(0, kLettersOfWish),
                     wish.metadata.uid.substr(0, 8), attempt);
}

std::string copyName(const kinds::VolumeMigration& wish, std::size_t volume) {
  return prefixOf(wish, wish.status.godwit.attempt) + std::to_string(volume);
}

bool hasFailed(const kinds::Pod& pod, std::string_view reason) {
  return pod.status.phase == kinds::pod_phase::kFailed && pod.status.reason == reason;
}

// Another attempt would meet the same.
bool cannotBe(const kinds::Pod& pod) {
  return hasFailed(pod, words::kPreparationFailed) || hasFailed(pod, "UnusableImage");
}

bool belongsTo(const kinds::Pod& pod, const kinds::VolumeMigration& wish) {
  const auto& owners = pod.metadata.ownerReferences;
  return std::any_of(owners.begin(), owners.end(), [&](const auto& owner) { return owner.uid == wish.metadata.uid; });
}

kinds::DiskProgress progressOf(const Copy& copy) {
  kinds::DiskProgress disk;
  const std::string told = copy.pod ? object::valueOf(copy.pod->metadata.annotations, words::kCopyProgress) : "";
  if (const auto said = object::parseDocument(told)) disk = schema::view<kinds::DiskProgress>(json::value(*said));
  disk.name = copy.source;
  if (copy.pod && copy.pod->status.phase == kinds::pod_phase::kSucceeded) disk.bytesDone = disk.bytesTotal;
  return disk;
}

}  // namespace

Result<std::vector<Copy>> copiesOf(const World& world, const kinds::VolumeMigration& wish) {
  std::vector<Copy> copies;
  const auto& volumes = wish.spec.migratedVolume;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    Copy copy{.source = volumes[i].sourceClaim, .pod = nullptr};
    copy.pod = TRY(findSurely(world, world.pods, {wish.metadata.nameSpace, copyName(wish, i)}));
    copies.push_back(std::move(copy));
  }
  return copies;
}

Observed::Copies summarise(const std::vector<Copy>& copies, Timestamp now) {
  Observed::Copies seen{.made = true, .done = true};
  for (const Copy& copy : copies) {
    const std::string phase = copy.pod ? copy.pod->status.phase : "";
    const bool succeeded = phase == kinds::pod_phase::kSucceeded;
    seen.made = seen.made && copy.pod;
    seen.done = seen.done && succeeded;
    seen.begun = seen.begun || succeeded || phase == kinds::pod_phase::kRunning;
    if (phase != kinds::pod_phase::kFailed) continue;
    seen.failed = true;
    seen.sourceInUse = seen.sourceInUse || hasFailed(*copy.pod, words::kSourceInUse);
    seen.hopeless = seen.hopeless || cannotBe(*copy.pod);
    seen.failedFor = std::max(seen.failedFor, endedFor(*copy.pod, now));
  }
  return seen;
}

kinds::MoveProgress progressOf(const std::vector<Copy>& copies) {
  kinds::MoveProgress progress{.stage = "Copying"};
  for (const Copy& copy : copies) {
    progress.disks.push_back(progressOf(copy));
    progress.disksDone += progress.disks.back().bytesDone;
    progress.disksTotal += progress.disks.back().bytesTotal;
  }
  return progress;
}

std::string troubleOf(const std::vector<Copy>& copies) {
  for (const Copy& copy : copies)
    if (std::string trouble = copy.pod ? controllers::troubleOf(*copy.pod) : ""; !trouble.empty())
      return fmt::format("{}: {}", copy.source, trouble);
  return "";
}

Result<> makeCopies(const World& world, const kinds::VolumeMigration& wish) {
  // A cache may not have seen this controller's own last word yet; what was given up must not be begun anew.
  const auto fresh = TRY(world.client.find<kinds::VolumeMigration>(wish.metadata.key()));
  const bool same = fresh && fresh->metadata.uid == wish.metadata.uid && fresh->status == wish.status;
  if (!same || fresh->metadata.beingDeleted()) return {};
  if (!TRY(removeCopies(world, wish, wish.status.godwit.attempt))) return {};
  TRY(makeDestinations(world, wish));
  const auto volumes = volumesOf(wish);
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    kinds::Pod pod = renderImporter({.name = copyName(wish, i),
                                     .nameSpace = wish.metadata.nameSpace,
                                     .owner = ownerReference(wish),
                                     .target = volumes[i].destinationClaim,
                                     .original = volumes[i].sourceClaim});
    pod.metadata.annotations[std::string(words::kCopyOf)] = diskOn(TRY(restingFor(world, wish, volumes[i])));
    TRY(world.client.ensure(pod));
  }
  return {};
}

Result<bool> removeCopies(const World& world, const kinds::VolumeMigration& wish, std::optional<std::int64_t> attempt) {
  const auto listed = TRY(world.client.list(schema::kind<kinds::Pod>,
                                            {.nameSpace = wish.metadata.nameSpace,
                                             .labelSelector = fmt::format("{}={}", words::kApp, words::kAppImporter),
                                             .fieldSelector = ""}));
  bool gone = true;
  for (const object::Document& document : listed.items) {
    const auto pod = schema::view<kinds::Pod>(document);
    if (!belongsTo(pod, wish) || (attempt && pod.metadata.name.starts_with(prefixOf(wish, *attempt)))) continue;
    gone = false;
    if (!pod.metadata.beingDeleted()) TRY(world.client.remove(pod));
  }
  return gone;
}

}  // namespace godwit::controllers::volume_migration::offline
