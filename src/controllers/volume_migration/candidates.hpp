#pragma once

#include "controllers/volume_migration/validate.hpp"
#include "controllers/world.hpp"

// What a move of volumes is judged by, whoever asks for it.
namespace godwit::controllers::volume_migration {

// Who asks. What is done in its own name is no obstacle to it, nor is what was asked for later.
struct Asker {
  schema::Metadata metadata;
  std::string wishUid = {};  // of the object that it was made for
};

Asker askerOf(const kinds::VolumeMigration& wish);
Asker askerOf(const kinds::VirtualMachineInstanceMigration& migration);

// Who uses the claim, or is to, other than `own` and in the asker's name; empty if nobody.
std::string userOf(const World& world, const object::Key& claim, const Asker& asker,
                   const kinds::VirtualMachineInstance* own);

// All that is known of one move. Claims are looked for with the server itself.
Result<Candidate> candidateFor(const World& world, const Asker& asker, const kinds::MigratedVolume& volume);

}  // namespace godwit::controllers::volume_migration
