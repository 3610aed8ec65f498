#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "client/client.hpp"
#include "kinds/migration.hpp"

// One guest to another node, watched until it is there.
namespace godwit::cli {

struct MigrateWish {
  object::Key guest;
  std::string node = {};  // empty: whichever the scheduler finds best
  std::optional<kinds::MigrationOptions> options = {};
};

// NotFound when there is no such guest.
Result<kinds::VirtualMachineInstanceMigration> beginMigration(const client::Client& client, const MigrateWish& wish);

// How far a migration is: a bar and what is known of bytes and time, or why it has not begun.
std::string drawProgress(const kinds::VirtualMachineInstanceMigration& migration);

// Calls `show` with each new look of it, and returns the migration as it ended; one that was deleted has ended, too.
// Unavailable when the time is up or `stop` is requested: the guest goes on moving.
Result<kinds::VirtualMachineInstanceMigration> followMigration(
    const client::Client& client, const object::Key& migration, Duration patience,
    const std::function<void(const kinds::VirtualMachineInstanceMigration&)>& show, std::stop_token stop);

}  // namespace godwit::cli
