#pragma once

#include <optional>
#include <string>

#include "apiserver/endpoint.hpp"
#include "apiserver/objects.hpp"
#include "kinds/pod.hpp"
#include "kinds/virtual_machine_instance.hpp"

namespace godwit::subresources {

// What becomes of a pod that somebody wants off its node.
struct Eviction {
  enum class Fate {
    Goes,     // the pod is deleted, and its guest ends
    Moves,    // its guest is marked to leave the node, and the pod goes when it has
    Remains,  // and whoever asks may ask again
  };
  Fate fate = Fate::Goes;
  std::string why;  // it does not go at once

  bool operator==(const Eviction&) const = default;
};

// `instance` is the one that the pod belongs to, if there is one.
Eviction judge(const kinds::Pod& pod, const std::optional<kinds::VirtualMachineInstance>& instance);

// pods/eviction, as `kubectl drain` calls it. Both arguments must outlive the endpoint.
apiserver::Endpoint evictionEndpoint(apiserver::Objects& objects, const apiserver::Catalog& catalog);

}  // namespace godwit::subresources
