#pragma once

#include <memory>
#include <vector>

#include "controllers/failures.hpp"
#include "controllers/world.hpp"

// Migrations that a controller makes for one purpose, one after the other until it is reached.
namespace godwit::controllers {

using Attempts = std::vector<std::shared_ptr<const kinds::VirtualMachineInstanceMigration>>;

// The number at the end of the name; those that are made for one guest count up.
int numberOf(const kinds::VirtualMachineInstanceMigration& attempt);
void sortByNumber(Attempts& attempts);
// Of the one to be made next.
int nextNumber(const Attempts& sorted);

// Those at the end that have failed.
Failures failuresAtTheEnd(const Attempts& sorted, Timestamp now);

// Puts on the last attempt which one it is and, if another is to follow, when.
Result<> number(const World& world, const Attempts& sorted, bool another);

}  // namespace godwit::controllers
