#include "hypervisor/libvirt/source_xml.hpp"

#include "hypervisor/libvirt/secret.hpp"
#include "hypervisor/libvirt/xml.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

const char* typeWord(DiskSource::Type type) {
  switch (type) {
    case DiskSource::Type::File:
      return "file";
    case DiskSource::Type::Block:
      return "block";
    case DiskSource::Type::Network:
      return "network";
  }
  __builtin_unreachable();
}

DiskSource::Type typeOf(std::string_view word) {
  for (const auto type : {DiskSource::Type::Block, DiskSource::Type::Network})
    if (word == typeWord(type)) return type;
  return DiskSource::Type::File;
}

const char* pathAttribute(DiskSource::Type type) {
  switch (type) {
    case DiskSource::Type::File:
      return "file";
    case DiskSource::Type::Block:
      return "dev";
    case DiskSource::Type::Network:
      return "name";
  }
  __builtin_unreachable();
}

const char* protocolWord(Protocol protocol) {
  switch (protocol) {
    case Protocol::Iscsi:
      return "iscsi";
    case Protocol::Nfs:
      return "nfs";
    case Protocol::Rbd:
      return "rbd";
  }
  __builtin_unreachable();
}

Protocol protocolOf(std::string_view word) {
  for (const auto protocol : {Protocol::Nfs, Protocol::Rbd})
    if (word == protocolWord(protocol)) return protocol;
  return Protocol::Iscsi;
}

void addRemote(pugi::xml_node source, const Remote& remote) {
  source.prepend_attribute("protocol").set_value(protocolWord(remote.protocol));
  for (const Host& wanted : remote.hosts) {
    pugi::xml_node host = source.append_child("host");
    set(host, "name", wanted.name);
    if (wanted.port != 0) set(host, "port", std::to_string(wanted.port));
  }
  if (!remote.initiator.empty()) set(source.append_child("initiator").append_child("iqn"), "name", remote.initiator);
  if (!remote.login) return;
  pugi::xml_node login = source.append_child("auth");
  set(login, "username", remote.login->user);
  pugi::xml_node secret = login.append_child("secret");
  set(secret, "type", secretType(remote.protocol));
  set(secret, "usage", remote.login->secret);
}

Remote remoteIn(pugi::xml_node source) {
  Remote remote{.protocol = protocolOf(source.attribute("protocol").value()),
                .initiator = source.child("initiator").child("iqn").attribute("name").value()};
  for (const pugi::xml_node host : source.children("host"))
    remote.hosts.push_back({host.attribute("name").value(), host.attribute("port").as_llong()});
  if (const pugi::xml_node login = source.child("auth"))
    remote.login = {login.attribute("username").value(), login.child("secret").attribute("usage").value()};
  return remote;
}

}  // namespace

void placeDisk(pugi::xml_node disk, const DiskSource& source) {
  set(disk, "type", typeWord(source.type));
  pugi::xml_node driver = disk.child("driver");
  if (!driver) driver = disk.prepend_child("driver");
  set(driver, "name", "qemu");
  set(driver, "type", source.format);
  // Nothing of the old source may stay, such as its slices or its backing chain.
  disk.remove_child("source");
  disk.remove_child("backingStore");
  const pugi::xml_node where = disk.insert_child_after("source", driver);
  set(where, pathAttribute(source.type), source.path);
  if (source.type == DiskSource::Type::Network) addRemote(where, source.remote);
}

DiskSource sourceIn(pugi::xml_node holder, std::string format) {
  DiskSource source;
  source.type = typeOf(holder.attribute("type").value());
  source.path = holder.child("source").attribute(pathAttribute(source.type)).value();
  source.format = std::move(format);
  if (source.type == DiskSource::Type::Network) source.remote = remoteIn(holder.child("source"));
  return source;
}

}  // namespace godwit::hypervisor::libvirt
