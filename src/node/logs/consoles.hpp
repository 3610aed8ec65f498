#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kinds/pod.hpp"
#include "node/logs/pod_logs.hpp"

namespace godwit::node::logs {

// The consoles of guests as logs of their pods. A console is one file for all that a guest of that name ever says on
// this node; a pod's part of it begins where it ended when the pod came to the node.
class Consoles {
 public:
  // `marks` is the directory in which those beginnings are kept; it is made if need be.
  static Result<Consoles> open(std::string consoles, std::string marks);

  // To be called before anybody acts on the change: it makes the mark before the guest can say anything.
  void podChanged(const kinds::Pod* before, const kinds::Pod* after) const;
  Result<Log> logOf(const kinds::Pod& pod) const;

 private:
  Consoles(std::string consoles, std::string marks) : consoles_(std::move(consoles)), marks_(std::move(marks)) {}

  std::string fileOf(const kinds::Pod& pod) const;
  std::string markOf(const kinds::Pod& pod) const { return marks_ + "/" + pod.metadata.uid; }
  Result<> mark(const kinds::Pod& pod) const;

  std::string consoles_;
  std::string marks_;
};

}  // namespace godwit::node::logs
