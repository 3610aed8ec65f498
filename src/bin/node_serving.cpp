#include "bin/node_serving.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"
#include "http/certificates.hpp"
#include "node/uploads.hpp"

namespace godwit::bin {
namespace {

namespace fs = std::filesystem;

constexpr auto kCertificateLife = std::chrono::hours(24) * 3650;
// Those who ask for logs only have a place in a file found; the rest is done by the server's one thread.
constexpr unsigned kWorkers = 2 + node::Uploads::kMostAtOnce;

}  // namespace

Result<NodeServing> serveAsNode(const NodeOptions& options, const std::string& authority, http::Handler& handler,
                                Timestamp now) {
  const fs::path directory = fs::path(options.directory) / "pki";
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot make {}: {}", directory.string(), error.message()));
  const http::TlsServerFiles files{
      .certificate = directory / "node.crt", .key = directory / "node.key", .clientCa = directory / "ca.crt"};
  const http::KeyPair pair = TRY(http::signItself({.commonName = "system:node:" + options.name,
                                                   .organizations = {"system:nodes"},
                                                   .dnsNames = {options.name},
                                                   .ipAddresses = {options.addresses.front()},
                                                   .server = true,
                                                   .validFor = kCertificateLife},
                                                  now));
  TRY(replaceFile(files.key, pair.keyPem));
  TRY(replaceFile(files.certificate, pair.certificatePem));
  TRY(replaceFile(files.clientCa, authority));
  auto server = TRY(http::Server::listen(
      {.address = options.addresses.front(), .port = options.port, .tls = files, .workerThreads = kWorkers}, handler));
  return NodeServing{std::move(server), pair.certificatePem};
}

}  // namespace godwit::bin
