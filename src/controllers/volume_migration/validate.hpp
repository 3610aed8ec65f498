#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume_migration.hpp"

namespace godwit::controllers::volume_migration {

// The reasons by which a volume is refused for what it is, as users of KubeVirt know them.
namespace reason {
inline constexpr std::string_view kShareable = "Shareable disks aren't supported to be migrated";
inline constexpr std::string_view kFilesystem = "Filesystem volumes aren't supported to be migrated";
inline constexpr std::string_view kLun = "LUN disks aren't supported to be migrated yet";
inline constexpr std::string_view kMultipleInstances = "Volumes need to belong to the same VMI";
inline constexpr std::string_view kNotRunning = "Volumes need to belong to a running VMI";
inline constexpr std::string_view kMultipleAndNotRunning = "Volumes need to belong to the same running VMI";
inline constexpr std::string_view kNoInstance = "No VMI associated to the volume";
inline constexpr std::string_view kSameClaim = "Source and destination are the same claim";
}  // namespace reason

// One volume that is to move, and what is known of it.
struct Candidate {
  // The claim that it is to move to.
  struct Destination {
    bool toBeMade = false;     // it is not there, and need not be
    bool classExists = false;  // that it is to be made of
    bool exists = false;
    bool leaving = false;  // it is being deleted, or has lost its volume
    bool readOnly = false;
    bool isSource = false;      // another claim, and the same bytes
    std::string user = {};      // somebody else who has it, or is to
    std::string unfilled = {};  // what it waits for until it can be used
    std::int64_t bytes = 0;     // for which there is room
  };

  kinds::MigratedVolume volume;                                   // with its destination's name
  std::shared_ptr<const kinds::VirtualMachineInstance> instance;  // that uses the source; null if none
  std::string sourceUid = {};                                     // of the claim; empty if there is none
  std::int64_t sourceBytes = 0;                                   // of the disk; 0 while unknown
  bool betweenLuns = false;
  Destination destination;
};

struct Verdict {
  std::vector<kinds::VolumeMigrationState> states;
  std::string instanceName;  // the one instance they all belong to; empty if there is none

  bool anyRejected() const;
  bool allValid() const;
  // Of all that are not valid, "claim: reason".
  std::string complaint() const;
};

// What the way a guest uses the volume has against any move of it; empty if nothing.
std::string_view objectionToUse(const Candidate& candidate);
// What the way a guest of that spec would use it has against it.
std::string_view objectionToUse(const Candidate& candidate, const kinds::VirtualMachineInstanceSpec& spec);
// What speaks against moving this one, in a sentence that names it and says what to do; empty if nothing.
std::string objectionTo(const Candidate& candidate);

// Judges every volume; one that is refused does not hide what is said of the others.
Verdict validate(const std::vector<Candidate>& candidates);

}  // namespace godwit::controllers::volume_migration
