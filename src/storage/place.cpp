#include "storage/place.hpp"

#include <fmt/format.h>

#include "base/result.hpp"
#include "object/document.hpp"

namespace godwit::storage {

namespace {

constexpr std::int64_t kIscsiPort = 3260;

}  // namespace

using Type = hypervisor::DiskSource::Type;

Place Place::of(const hypervisor::DiskSource& source) {
  Place place{.path = source.path, .block = source.type == Type::Block};
  if (source.type == Type::Network) place.remote = source.remote;
  return place;
}

std::string Place::qemuName() const {
  if (!remote) return path;
  ENSURE(remote->protocol == hypervisor::Protocol::Iscsi && remote->hosts.size() == 1 && !remote->login,
         "nobody orders more than a plain LUN");
  const std::size_t slash = path.rfind('/');
  const auto& [host, port] = remote->hosts.front();
  const bool isAddress6 = host.find(':') != std::string::npos;
  json::object file;
  file["driver"] = "iscsi";
  file["transport"] = "tcp";
  file["portal"] = fmt::format("{}:{}", isAddress6 ? "[" + host + "]" : host, port == 0 ? kIscsiPort : port);
  file["target"] = path.substr(0, slash);
  file["lun"] = path.substr(slash + 1);
  if (!remote->initiator.empty()) file["initiator-name"] = remote->initiator;
  return "json:" + json::serialize(json::object{{"driver", "raw"}, {"file", std::move(file)}});
}

}  // namespace godwit::storage
