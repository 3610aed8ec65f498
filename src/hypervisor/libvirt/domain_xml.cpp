#include "hypervisor/libvirt/domain_xml.hpp"

#include <cstring>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "hypervisor/libvirt/source_xml.hpp"
#include "hypervisor/libvirt/xml.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

// The owner's place in a document; libvirt carries foreign elements of <metadata> along unread.
constexpr const char* kNamespace = "https://godwit.dev/1";
constexpr const char* kMetadata = "godwit:domain";
constexpr const char* kOwner = "godwit:owner";

Result<pugi::xml_document> parse(const std::string& xml) {
  pugi::xml_document document;
  const auto outcome = document.load_string(xml.c_str());
  if (!outcome) return fail(Code::Internal, fmt::format("unreadable domain document: {}", outcome.description()));
  if (!document.child("domain")) return fail(Code::Internal, "the document is not of a domain");
  return document;
}

void addMachine(pugi::xml_node domain, const DomainSpec& spec) {
  addText(domain, "name", spec.name);
  if (!spec.uuid.empty()) addText(domain, "uuid", spec.uuid);
  pugi::xml_node ours = domain.append_child("metadata").append_child(kMetadata);
  set(ours, "xmlns:godwit", kNamespace);
  addText(ours, kOwner, spec.owner);
  set(addText(domain, "memory", std::to_string(spec.memoryBytes)), "unit", "b");
  addText(domain, "vcpu", std::to_string(spec.vcpus));
  pugi::xml_node type = addText(domain.append_child("os"), "type", "hvm");
  set(type, "arch", "x86_64");
  set(type, "machine", "pc");
  domain.append_child("features").append_child("acpi");
  addText(domain, "on_poweroff", "destroy");
  addText(domain, "on_reboot", "restart");
  addText(domain, "on_crash", "destroy");
}

pugi::xml_node addDisk(pugi::xml_node devices, const Disk& disk) {
  pugi::xml_node node = devices.append_child("disk");
  set(node, "device", "disk");
  placeDisk(node, disk.source);
  pugi::xml_node driver = node.child("driver");
  set(driver, "cache", "none");
  set(driver, "discard", "unmap");
  set(driver, "detect_zeroes", "unmap");
  pugi::xml_node target = node.append_child("target");
  set(target, "dev", disk.target);
  set(target, "bus", disk.bus);
  if (!disk.serial.empty()) addText(node, "serial", disk.serial);
  return node;
}

// Always there: a disk may come to the running guest, and a controller may not. libvirt's own choice for this
// machine is an adapter of 1998, which few guests still drive.
void addScsiController(pugi::xml_node devices) {
  pugi::xml_node controller = devices.append_child("controller");
  set(controller, "type", "scsi");
  set(controller, "model", "virtio-scsi");
}

void addConsole(pugi::xml_node devices, const std::string& file) {
  pugi::xml_node serial = devices.append_child("serial");
  set(serial, "type", "file");
  pugi::xml_node source = serial.append_child("source");
  set(source, "path", file);
  set(source, "append", "on");
  pugi::xml_node target = serial.append_child("target");
  set(target, "type", "isa-serial");
  set(target, "port", "0");
}

void leaveOut(pugi::xml_node devices) {
  pugi::xml_node usb = devices.append_child("controller");
  set(usb, "type", "usb");
  set(usb, "model", "none");
  set(devices.append_child("video").append_child("model"), "type", "none");
  set(devices.append_child("memballoon"), "model", "none");
}

pugi::xml_node diskOf(pugi::xml_node devices, const std::string& target) {
  return devices.find_child(
      [&](pugi::xml_node node) { return target == node.child("target").attribute("dev").value(); });
}

// Only "yes" is ready: "abort" and "pivot" say that the mirror is being taken down.
std::optional<Mirror> mirrorOf(pugi::xml_node disk) {
  const pugi::xml_node mirror = disk.child("mirror");
  if (!mirror) return std::nullopt;
  return Mirror{.destination = sourceIn(mirror, mirror.child("format").attribute("type").value()),
                .ready = std::strcmp(mirror.attribute("ready").value(), "yes") == 0};
}

}  // namespace

std::string domainXml(const DomainSpec& spec, const Machine& machine) {
  pugi::xml_document document;
  pugi::xml_node domain = document.append_child("domain");
  set(domain, "type", domainType(machine.accelerator));
  addMachine(domain, spec);
  pugi::xml_node devices = domain.append_child("devices");
  addText(devices, "emulator", machine.emulator);
  for (std::size_t i = 0; i < spec.disks.size(); ++i)
    set(addDisk(devices, spec.disks[i]).append_child("boot"), "order", std::to_string(i + 1));
  addScsiController(devices);
  if (!spec.consoleFile.empty()) addConsole(devices, spec.consoleFile);
  leaveOut(devices);
  return textOf(document);
}

std::string diskXml(const Disk& disk) {
  pugi::xml_document document;
  addDisk(document, disk);
  return textOf(document);
}

Result<std::string> diskIn(const std::string& xml, const std::string& target) {
  const pugi::xml_document document = TRY(parse(xml));
  const pugi::xml_node disk = diskOf(document.child("domain").child("devices"), target);
  if (!disk) return fail(Code::NotFound, fmt::format("there is no disk {}", target));
  pugi::xml_document alone;
  alone.append_copy(disk);
  return textOf(alone);
}

Result<std::string> aliasIn(const std::string& xml, const std::string& target) {
  const pugi::xml_document document = TRY(parse(xml));
  const pugi::xml_node disk = diskOf(document.child("domain").child("devices"), target);
  std::string alias = disk.child("alias").attribute("name").value();
  if (alias.empty()) return fail(Code::NotFound, fmt::format("there is no name for disk {}", target));
  return alias;
}

std::string copyTargetXml(const DiskSource& destination) {
  pugi::xml_document document;
  placeDisk(document.append_child("disk"), destination);
  return textOf(document);
}

Result<DomainState> readDomainXml(const std::string& xml) {
  const pugi::xml_document document = TRY(parse(xml));
  const pugi::xml_node domain = document.child("domain");
  DomainState state;
  state.name = domain.child("name").text().get();
  state.uuid = domain.child("uuid").text().get();
  state.owner = domain.child("metadata").child(kMetadata).child(kOwner).text().get();
  constexpr std::int64_t kUnit = 1024;  // libvirt tells it in KiB, whatever it was given in
  state.memoryBytes = domain.child("memory").text().as_llong() * kUnit;
  for (const pugi::xml_node disk : domain.child("devices").children("disk"))
    state.disks.push_back({.target = disk.child("target").attribute("dev").value(),
                           .source = sourceIn(disk, disk.child("driver").attribute("type").value()),
                           .mirror = mirrorOf(disk)});
  return state;
}

Result<std::string> relocated(const std::string& xml, const Relocation& relocation) {
  pugi::xml_document document = TRY(parse(xml));
  const pugi::xml_node devices = document.child("domain").child("devices");
  for (const auto& [target, source] : relocation.disks) {
    const pugi::xml_node disk = diskOf(devices, target);
    if (!disk) return fail(Code::NotFound, fmt::format("there is no disk {}", target));
    placeDisk(disk, source);
  }
  if (relocation.consoleFile.empty()) return textOf(document);
  // libvirt shows the first serial port a second time, as a console.
  for (const char* name : {"serial", "console"})
    if (const pugi::xml_node port = devices.child(name);
        port && std::strcmp(port.attribute("type").value(), "file") == 0)
      set(port.child("source"), "path", relocation.consoleFile);
  return textOf(document);
}

Result<std::string> recordOf(const std::string& xml) {
  const pugi::xml_document document = TRY(parse(xml));
  const pugi::xml_node domain = document.child("domain");
  pugi::xml_document record;
  pugi::xml_node entry = record.append_child("domain");
  set(entry, "type", domain.attribute("type").value());
  for (const char* name : {"name", "uuid", "memory", "vcpu", "os"}) entry.append_copy(domain.child(name));
  pugi::xml_node devices = entry.append_child("devices");
  devices.append_copy(domain.child("devices").child("emulator"));
  for (const pugi::xml_node disk : domain.child("devices").children("disk")) devices.append_copy(disk);
  leaveOut(devices);
  return textOf(record);
}

}  // namespace godwit::hypervisor::libvirt
