#include <unistd.h>

#include "hypervisor/libvirt/reaping_init.hpp"

// private_node DIRECTORY UUID: process 1 of a node that has a libvirt daemon and nothing else.
int main(int argc, char** argv) {
  using namespace godwit;
  using namespace godwit::hypervisor::libvirt;
  if (argc != 3) return 2;
  const House house{.directory = argv[1], .hostUuid = argv[2]};
  const SystemClock clock;
  return runReapingInit(house, {daemonOf(house)}, clock);
}
