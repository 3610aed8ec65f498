// For the tests of the rooms that know the kinds.
#include "test_precompiled.hpp"

#include "kinds/core.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/migration.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "kinds/volume_migration.hpp"
