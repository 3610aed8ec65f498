#include "kinds/kubevirt.hpp"

namespace godwit::kinds {

MigrationConfiguration usualMigrations() {
  MigrationConfiguration usual;
  usual.bandwidthPerMigration = "0";
  usual.completionTimeoutPerGiB = 150;
  usual.progressTimeout = 150;
  usual.maxDowntimeMs = 300;
  usual.allowAutoConverge = false;
  usual.allowPostCopy = false;
  usual.parallelMigrationsPerCluster = 5;
  usual.parallelOutboundMigrationsPerNode = 2;
  return usual;
}

}  // namespace godwit::kinds
