#pragma once

#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "client/client.hpp"
#include "kinds/volume_migration.hpp"

// Volumes that have moved, back to where they came from.
namespace godwit::cli {

// The volume migration of that name, or the one of the VM of that name whose sources are kept in sync. NotFound when
// there is neither; Conflict, with the reason, when one cannot go back any more.
Result<kinds::VolumeMigration> findRollBack(const client::Client& client, const object::Key& name);

// Asks for it. Safe to repeat.
Result<> askToRollBack(const client::Client& client, const kinds::VolumeMigration& wish);

// Returns the volume migration as it ended. Unavailable when the time is up or `stop` is requested: the guest goes on.
Result<kinds::VolumeMigration> followRollBack(const client::Client& client, const object::Key& wish, Duration patience,
                                              std::stop_token stop);

}  // namespace godwit::cli
