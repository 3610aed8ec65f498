#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume_migration.hpp"

namespace godwit::controllers::volume_migration {

// The reasons by which a volume is refused, as users of KubeVirt know them.
namespace reason {
inline constexpr std::string_view kShareable = "Shareable disks aren't supported to be migrated";
inline constexpr std::string_view kFilesystem = "Filesystem volumes aren't supported to be migrated";
inline constexpr std::string_view kLun = "LUN disks aren't supported to be migrated yet";
inline constexpr std::string_view kMultipleInstances = "Volumes need to belong to the same VMI";
inline constexpr std::string_view kNotRunning = "Volumes need to belong to a running VMI";
inline constexpr std::string_view kMultipleAndNotRunning = "Volumes need to belong to the same running VMI";
inline constexpr std::string_view kNoInstance = "No VMI associated to the volume";
inline constexpr std::string_view kSameClaim = "Source and destination are the same claim";
inline constexpr std::string_view kDestinationInUse = "The destination claim is used by a VMI";
inline constexpr std::string_view kDestinationMissing = "The destination claim does not exist";
inline constexpr std::string_view kDestinationLeaving = "The destination claim is being deleted";
inline constexpr std::string_view kDestinationTooSmall = "The destination claim is smaller than the source";
}  // namespace reason

// One volume that is to move, and what is known of it.
struct Candidate {
  kinds::MigratedVolume volume;
  std::shared_ptr<const kinds::VirtualMachineInstance> instance;  // that uses the source; null if none
  bool destinationExists = false;
  bool destinationLeaving = false;  // its deletion was asked for
  bool destinationInUse = false;
  std::int64_t sourceBytes = 0;  // of the claim; 0 while unknown
  std::int64_t destinationBytes = 0;
};

struct Verdict {
  std::vector<kinds::VolumeMigrationState> states;
  std::string instanceName;  // the one instance they all belong to; empty if there is none

  bool anyRejected() const;
  bool allValid() const;
};

// Judges every volume; one that is refused does not hide what is said of the others.
Verdict validate(const std::vector<Candidate>& candidates);

}  // namespace godwit::controllers::volume_migration
