#include "storage/place.hpp"

#include <fmt/format.h>

#include "base/result.hpp"

namespace godwit::storage {

namespace {

constexpr std::int64_t kIscsiPort = 3260;
constexpr std::int64_t kCephPort = 6789;

using hypervisor::Host;
using hypervisor::Remote;

// "IQN/LUN" and "pool/image" are two words.
std::pair<std::string, std::string> halvesOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {path.substr(0, slash), path.substr(slash + 1)};
}

std::int64_t portOf(const Host& host, std::int64_t usual) { return host.port == 0 ? usual : host.port; }

json::object lunOf(const Remote& remote, const std::string& path) {
  const auto [target, lun] = halvesOf(path);
  const Host& host = remote.hosts.front();
  const bool isAddress6 = host.name.find(':') != std::string::npos;
  json::object file{{"driver", "iscsi"}, {"transport", "tcp"}};
  file["portal"] = fmt::format("{}:{}", isAddress6 ? "[" + host.name + "]" : host.name, portOf(host, kIscsiPort));
  file["target"] = target;
  file["lun"] = lun;
  if (!remote.initiator.empty()) file["initiator-name"] = remote.initiator;
  if (!remote.login) return file;
  file["user"] = remote.login->user;
  file["password-secret"] = Place::kLoginSecret;
  return file;
}

json::object nfsImageOf(const Remote& remote, const std::string& path) {
  const json::object server{{"type", "inet"}, {"host", remote.hosts.front().name}};
  return {{"driver", "nfs"}, {"server", server}, {"path", path}};
}

json::object cephImageOf(const Remote& remote, const std::string& path) {
  const auto [pool, image] = halvesOf(path);
  json::object file{{"driver", "rbd"}, {"pool", pool}, {"image", image}};
  json::array servers;
  for (const Host& host : remote.hosts)
    servers.push_back(json::object{{"host", host.name}, {"port", std::to_string(portOf(host, kCephPort))}});
  file["server"] = std::move(servers);
  if (!remote.login) return file;
  file["user"] = remote.login->user;
  file["key-secret"] = Place::kLoginSecret;
  return file;
}

json::object remoteFileOf(const Remote& remote, const std::string& path) {
  ENSURE(!remote.hosts.empty(), "locate() refuses what is nowhere");
  switch (remote.protocol) {
    case hypervisor::Protocol::Iscsi:
      return lunOf(remote, path);
    case hypervisor::Protocol::Nfs:
      return nfsImageOf(remote, path);
    case hypervisor::Protocol::Rbd:
      return cephImageOf(remote, path);
  }
  __builtin_unreachable();
}

// What has the bytes, below any image format.
json::object fileOf(const Place& place) {
  if (place.remote) return remoteFileOf(*place.remote, place.path);
  return {{"driver", place.block ? "host_device" : "file"}, {"filename", place.path}};
}

}  // namespace

using Type = hypervisor::DiskSource::Type;

Place Place::of(const hypervisor::DiskSource& source) {
  Place place{.path = source.path, .block = source.type == Type::Block, .format = source.format};
  if (source.type == Type::Network) place.remote = source.remote;
  return place;
}

std::string Place::qemuName() const {
  if (!remote) return path;
  return "json:" + json::serialize(json::object{{"driver", format}, {"file", fileOf(*this)}});
}

std::string Place::qemuName(const Stretch& stretch) const {
  json::object file = fileOf(*this);
  if (!remote) file["locking"] = "off";
  const json::object image{{"driver", format}, {"file", std::move(file)}};
  return "json:" + json::serialize(json::object{
                       {"driver", "raw"}, {"offset", stretch.from}, {"size", stretch.length}, {"file", image}});
}

}  // namespace godwit::storage
