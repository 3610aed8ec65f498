#include "bin/host_certificate.hpp"

#include <fmt/format.h>

#include "base/files.hpp"

namespace godwit::bin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAuthority = "ca-cert.pem";
constexpr const char* kCertificate = "server-cert.pem";
constexpr const char* kKey = "server-key.pem";

struct OtherName {
  const char* name;
  const char* meant;  // as seen from there
};

// A node is server and client alike. The first names are QEMU's, the next those of libvirt's client, and the last those
// of its daemon, which looks for them below /etc/pki.
constexpr OtherName kOtherNames[] = {{"client-cert.pem", kCertificate},
                                     {"client-key.pem", kKey},
                                     {"cacert.pem", kAuthority},
                                     {"clientcert.pem", kCertificate},
                                     {"clientkey.pem", kKey},
                                     {"CA/cacert.pem", "../ca-cert.pem"},
                                     {"libvirt/servercert.pem", "../server-cert.pem"},
                                     {"libvirt/private/serverkey.pem", "../../server-key.pem"}};

http::CertificateRequest requestOf(const HostCertificate& host) {
  return {.commonName = "system:node:" + host.node,
          .organizations = {"system:nodes"},
          .dnsNames = {host.node},
          .ipAddresses = host.addresses,
          .server = true,
          .client = true,
          .validFor = host.validFor};
}

Result<> makeDirectory(const fs::path& directory) {
  std::error_code error;
  for (const char* part : {"CA", "libvirt/private"})
    if (!error) fs::create_directories(directory / part, error);
  if (!error) fs::permissions(directory, fs::perms::owner_all, error);
  for (const auto& [name, meant] : kOtherNames)
    if (!error && !fs::is_symlink(directory / name)) fs::create_symlink(meant, directory / name, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot make {}: {}", directory.string(), error.message()));
  return {};
}

}  // namespace

Result<http::KeyPair> loadPair(const fs::path& certificate, const fs::path& key) {
  http::KeyPair pair;
  pair.certificatePem = TRY(readFile(certificate));
  pair.keyPem = TRY(readFile(key));
  return pair;
}

Result<http::KeyPair> authorityOf(const fs::path& server) {
  auto authority = loadPair(server / "pki" / "ca.crt", server / "pki" / "ca.key");
  if (authority) return authority;
  return fail(Code::Unavailable,
              fmt::format("no authority can be read in {}: {}", server.string(), authority.error().message));
}

Result<bool> keepCertificate(const HostCertificate& host, const http::KeyPair& authority, Timestamp now) {
  TRY(makeDirectory(host.directory));
  const auto request = requestOf(host);
  const auto kept = loadPair(host.directory / kCertificate, host.directory / kKey);
  if (kept && http::willDo(kept->certificatePem, authority, request, now)) return false;
  const auto key = readFile(host.directory / kKey);
  const auto issued = TRY(key ? http::reissue(authority, request, *key, now) : http::issue(authority, request, now));
  TRY(replaceFile(host.directory / kKey, issued.keyPem));
  TRY(replaceFile(host.directory / kAuthority, authority.certificatePem));
  TRY(replaceFile(host.directory / kCertificate, issued.certificatePem));
  return true;
}

}  // namespace godwit::bin
