#pragma once

#include <memory>
#include <string>

#include "client/client.hpp"
#include "http/client.hpp"

namespace godwit::bin {

// Which cluster a person's command is about: that of an `up` on this machine, that of a kubeconfig file, or, with
// neither, the one that kubectl would speak to.
struct Cluster {
  std::string directory;
  std::string kubeconfig;
};

Result<std::unique_ptr<http::Client>> connect(const Cluster& cluster);

}  // namespace godwit::bin
