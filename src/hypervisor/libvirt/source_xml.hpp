#pragma once

#include <string>

#include <pugixml.hpp>

#include "hypervisor/hypervisor.hpp"

// Where a disk's bytes are, as libvirt writes it down.
namespace godwit::hypervisor::libvirt {

// Gives a <disk> its bytes, in place of those it had.
void placeDisk(pugi::xml_node disk, const DiskSource& source);

// What a <disk> or a <mirror> has its bytes in.
DiskSource sourceIn(pugi::xml_node holder, std::string format);

}  // namespace godwit::hypervisor::libvirt
