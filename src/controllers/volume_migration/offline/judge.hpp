#pragma once

#include "controllers/volume_migration/candidates.hpp"

// Which volumes can be moved while no guest has them.
namespace godwit::controllers::volume_migration::offline {

inline constexpr std::string_view kMultipleMachines = "Volumes need to belong to the same VM";

// One volume, and what is known of it.
struct Resting {
  Candidate candidate;
  std::vector<std::shared_ptr<const kinds::VirtualMachine>> machines;  // that name the source
  std::string waitsFor = {};                                           // before it can be copied, in a sentence
  std::string sourceUid = {};
};

Result<Resting> restingFor(const World& world, const kinds::VolumeMigration& wish, const kinds::MigratedVolume& volume);

// Judges every volume; one that is refused does not hide what is said of the others.
Verdict judge(const std::vector<Resting>& volumes);

// What the disk is known by wherever it is kept: to the VM that names it, or by itself if none does.
std::string diskOn(const Resting& volume);

}  // namespace godwit::controllers::volume_migration::offline
