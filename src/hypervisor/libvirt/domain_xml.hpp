#pragma once

#include <map>
#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/accelerator.hpp"

// Domains as libvirt writes them down. Documents are built and changed as trees, never by pasting text.
namespace godwit::hypervisor::libvirt {

struct Machine {
  Accelerator accelerator = Accelerator::Tcg;
  std::string emulator = "/usr/bin/qemu-system-x86_64";
};

// The document that starts the domain.
std::string domainXml(const DomainSpec& spec, const Machine& machine);

// The <disk> that comes to a running domain.
std::string diskXml(const Disk& disk);

// The <disk> of that target in a live document, as libvirt wants to have it back. NotFound when there is none.
Result<std::string> diskIn(const std::string& xml, const std::string& target);
// libvirt's name for that device. NotFound when the document has none.
Result<std::string> aliasIn(const std::string& xml, const std::string& target);

// The <disk> that tells a block copy where to copy to.
std::string copyTargetXml(const DiskSource& destination);

// All that a live document says of a domain: its names, its disks, which mirrors are ready.
// Run state and progress are not in it.
Result<DomainState> readDomainXml(const std::string& xml);

struct Relocation {
  std::map<std::string, DiskSource> disks;  // by target name
  std::string consoleFile;                  // empty: it stays where it is
};

// The document of the same domain at a place where these disks and the console are elsewhere.
// NotFound when a disk to relocate is not in it.
Result<std::string> relocated(const std::string& xml, const Relocation& relocation);

// What is put on record of a domain that arrives: who it is and where its disks are. It is written down while the guest
// stands still, so it is short.
Result<std::string> recordOf(const std::string& xml);

}  // namespace godwit::hypervisor::libvirt
