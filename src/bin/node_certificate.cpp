#include <fmt/format.h>

#include "base/clock.hpp"
#include "bin/commands.hpp"
#include "bin/host_certificate.hpp"
#include "bin/layout.hpp"

namespace godwit::bin {
namespace {

namespace fs = std::filesystem;

Result<> makeCertificate(const NodeCertificateOptions& options) {
  const Layout layout{fs::absolute(options.directory).lexically_normal()};
  const auto authority = TRY(authorityOf(layout.server()));
  TRY(keepCertificate({.node = options.name, .addresses = options.addresses, .directory = options.output}, authority,
                      SystemClock().now()));
  fmt::print("{} proves to be {}; it is good for {} days, and is renewed by saying this again after 60\n",
             options.output, options.name, kHostCertificateLife / std::chrono::hours(24));
  return {};
}

}  // namespace

int runNodeCertificateCommand(const NodeCertificateOptions& options) { return exitCode(makeCertificate(options)); }

}  // namespace godwit::bin
