#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "http/certificates.hpp"

namespace godwit::bin {

inline constexpr std::chrono::seconds kHostCertificateLife = std::chrono::hours(24) * 90;

// What a node proves to the nodes of other machines that it is itself with.
struct HostCertificate {
  std::string node;
  std::vector<std::string> addresses;
  std::filesystem::path directory;  // gets all the names that libvirt and QEMU look for
  std::chrono::seconds validFor = kHostCertificateLife;
};

Result<http::KeyPair> loadPair(const std::filesystem::path& certificate, const std::filesystem::path& key);

// The authority of the server that keeps its things in that directory. Unavailable before its first start.
Result<http::KeyPair> authorityOf(const std::filesystem::path& server);

// Issues it, unless the one that is there will do; whether it did. The key is made once.
Result<bool> keepCertificate(const HostCertificate& host, const http::KeyPair& authority, Timestamp now);

}  // namespace godwit::bin
