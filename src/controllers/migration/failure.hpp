#pragma once

#include "controllers/migration/decide.hpp"

namespace godwit::controllers::migration {

// What a migration that takes this step fails of: how far it had come, what kind of trouble it is, what to do about it.
kinds::MigrationFailure failureOf(const Step& step, const Observed& observed);

}  // namespace godwit::controllers::migration
