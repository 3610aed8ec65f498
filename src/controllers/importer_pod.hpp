#pragma once

#include <string>

#include "kinds/pod.hpp"

namespace godwit::controllers {

// A pod that fills a claim on a node that reaches it.
struct ImporterPod {
  std::string name;
  std::string nameSpace;
  schema::OwnerReference owner;  // says what with
  std::string target;            // claim
  std::string original = {};     // claim that is copied, if one is
};

kinds::Pod renderImporter(const ImporterPod& wanted);

// How long ago the pod ended: it is Ready while it runs, so that is when it last was not.
Duration endedFor(const kinds::Pod& pod, Timestamp now);

// What the pod waits for, or has failed by, in a sentence; empty if nobody says.
std::string troubleOf(const kinds::Pod& pod);

}  // namespace godwit::controllers
