#include "controllers/new_migration.hpp"

#include "kinds/words.hpp"

namespace godwit::controllers {

kinds::VirtualMachineInstanceMigration newMigration(const std::string& nameSpace, const std::string& name,
                                                    const std::string& instance) {
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.nameSpace = nameSpace;
  migration.metadata.name = name;
  migration.metadata.finalizers = {std::string(kinds::words::kMigrationFinalizer)};
  migration.metadata.labels[std::string(kinds::words::kVmiName)] = instance;
  migration.spec.vmiName = instance;
  return migration;
}

}  // namespace godwit::controllers
