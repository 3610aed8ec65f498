#include "storage/iscsi.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace godwit::storage {
namespace {

// As Kubernetes has it.
constexpr std::int64_t kHighestLun = 255;

constexpr std::string_view kLettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool isMadeOf(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return kLettersAndDigits.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
  });
}

std::optional<std::int64_t> parsePort(std::string_view text) {
  std::int64_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535) return std::nullopt;
  return port;
}

// "host", "host:port", "[address]" or "[address]:port".
std::optional<hypervisor::Portal> parsePortal(std::string_view text) {
  const bool bracketed = text.starts_with('[');
  const std::size_t end = bracketed ? text.find(']') : text.find(':');
  if (bracketed && end == std::string_view::npos) return std::nullopt;
  const std::string_view host = bracketed ? text.substr(1, end - 1) : text.substr(0, end);
  if (!isMadeOf(host, bracketed ? ":.%" : ".-_")) return std::nullopt;
  hypervisor::Portal portal{.host = std::string(host)};
  const std::string_view rest = end == std::string_view::npos ? "" : text.substr(bracketed ? end + 1 : end);
  if (rest.empty()) return portal;
  const auto port = rest.front() == ':' ? parsePort(rest.substr(1)) : std::nullopt;
  if (!port) return std::nullopt;
  portal.port = *port;
  return portal;
}

// People write it with the slash that comes before the LUN, too.
std::string_view withoutSlash(std::string_view iqn) { return iqn.ends_with('/') ? iqn.substr(0, iqn.size() - 1) : iqn; }

}  // namespace

Result<hypervisor::DiskSource> locateLun(const std::string& volume, const kinds::IscsiVolume& iscsi) {
  auto portal = parsePortal(iscsi.targetPortal);
  if (!portal)
    return fail(Code::Invalid,
                fmt::format("volume {} has the portal '{}', which is not host:port", volume, iscsi.targetPortal));
  const std::string_view iqn = withoutSlash(iscsi.iqn);
  if (!isMadeOf(iqn, ".-_:"))
    return fail(Code::Invalid, fmt::format("volume {} has the IQN '{}', which is no name", volume, iscsi.iqn));
  if (iscsi.lun < 0 || iscsi.lun > kHighestLun)
    return fail(Code::Invalid,
                fmt::format("volume {} has the LUN {}, which is not from 0 to {}", volume, iscsi.lun, kHighestLun));
  if (iscsi.chapAuthSession)
    return fail(Code::Invalid, fmt::format("volume {} asks for CHAP, which no driver knows", volume));
  portal->initiator = iscsi.initiatorName;
  return hypervisor::DiskSource{hypervisor::DiskSource::Type::Network, fmt::format("{}/{}", iqn, iscsi.lun), "raw",
                                std::move(*portal)};
}

}  // namespace godwit::storage
