// For the rooms that see the cluster through caches of its kinds: making their declarations out takes a compiler
// longer than most of the code that uses them.
#include "precompiled.hpp"

#include "client/cache.hpp"
#include "client/client.hpp"
#include "kinds/core.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/migration.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "kinds/volume_migration.hpp"
