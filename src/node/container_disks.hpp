#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "kinds/core.hpp"
#include "kinds/pod.hpp"
#include "node/importers.hpp"
#include "storage/disks.hpp"

namespace godwit::node {

// Disks out of container images. Each is a file of its guest's on this node, and goes with the guest. An image that may
// be used again is kept, and copied.
class ContainerDisks {
 public:
  struct Means {
    std::string node;       // its name
    std::string directory;  // where the files go; empty: there are none
    Importers& importers;
    const Clock& clock;
    std::function<Result<kinds::Secret>(const object::Key&)> findSecret;
  };

  explicit ContainerDisks(Means means) : means_(std::move(means)) {}

  // Why the disk is not there yet, in a sentence; empty when it is. Has it made, one of a pod after the other. Invalid
  // when it never will be.
  Result<std::string> whyNotYet(const kinds::Pod& pod, const std::string& instance, const storage::WantedDisk& disk);
  // The file of one that is there. One that a guest brings along on its way here is made, empty, with so many bytes.
  Result<hypervisor::DiskSource> prepare(const std::string& instance, const storage::WantedDisk& disk,
                                         std::int64_t bytesToCome) const;
  // What is being made for the pod. Unavailable while that is under way.
  Result<> giveUp(const kinds::Pod& pod) const;
  // All of the instance's. Succeeds when there are none.
  Result<> remove(const std::string& instance) const;

 private:
  // One step to a disk: from the registry, or from where an image is kept.
  struct Way {
    std::string errand;
    std::string from;  // empty: the registry
    std::string to;
  };

  Way wayTo(const kinds::Pod& pod, const std::string& file, const kinds::ContainerDisk& disk) const;
  Result<importer::Orders> compose(const std::string& nameSpace, const Way& way,
                                   const kinds::ContainerDisk& disk) const;
  bool isTooEarly(const std::string& errand);

  const Means means_;
  Mutex mutex_;
  std::map<std::string, Timestamp> failed_ GUARDED_BY(mutex_);  // by errand: when that was first heard of
};

// Whether an importer fetches an image for whoever waits for it.
bool isForContainerDisks(std::string_view errand);

// Where a guest's disk is, in a node's directory for them.
std::string containerDiskFile(const std::string& directory, const std::string& instance, const std::string& volume);

}  // namespace godwit::node
