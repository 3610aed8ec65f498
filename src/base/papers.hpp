#pragma once

#include <string>

namespace godwit {

// The files of one errand, in a directory of its own: all that its process and the node agent have to tell each
// other.
struct Papers {
  std::string directory;

  std::string orders() const { return directory + "/orders.json"; }
  std::string journal() const { return directory + "/journal"; }
  std::string report() const { return directory + "/report"; }           // how far it is
  std::string lock() const { return directory + "/lock"; }               // the process holds it while it lives
  std::string cancel() const { return directory + "/cancel"; }           // is there once the errand is to be given up
  std::string targetDead() const { return directory + "/target-dead"; }  // is there once the node of a move's target is
  std::string options() const { return directory + "/options.json"; }    // what may change while it runs
  std::string log() const { return directory + "/log"; }
};

}  // namespace godwit
