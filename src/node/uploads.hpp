#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/mutex.hpp"
#include "http/message.hpp"
#include "kinds/pod.hpp"
#include "node/importers.hpp"

namespace godwit::node {

// Hands images that come over the network to the importers of this node. To be used from several threads.
class Uploads {
 public:
  using FindPod = std::function<std::shared_ptr<const kinds::Pod>(const object::Key&)>;

  // Each holds one thread of the server that answers for the node.
  static constexpr std::size_t kMostAtOnce = 6;

  Uploads(FindPod findPod, Importers& importers) : findPod_(std::move(findPod)), importers_(importers) {}

  // Blocks until the importer of the pod has kept all of the body, so many bytes (0: nobody knows). NotFound when there
  // is no such pod here, Conflict when its importer has an image or is getting one, Invalid when it cannot use this
  // one; Unavailable when it may well be sent again.
  Result<> take(const object::Key& pod, std::int64_t bytes, http::Stream& body);

 private:
  Result<> begin(const std::string& uid);
  void end(const std::string& uid);

  const FindPod findPod_;
  Importers& importers_;
  Mutex mutex_;
  std::set<std::string> underWay_ GUARDED_BY(mutex_);  // UIDs of pods
};

}  // namespace godwit::node
