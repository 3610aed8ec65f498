#pragma once

#include <functional>
#include <string>

#include "importer/verdict.hpp"

namespace godwit::importer {

struct Reception {
  std::string directory;  // of the errand: where senders find it, and where it is on record that all has come
  std::string image;      // the file that takes what comes
  std::int64_t volumeBytes = 0;
  std::function<Result<>(const Progress&)> note;  // heard at least once a second; an error of its own ends the wait
};

// Waits until somebody has sent a whole image, and returns its format, "raw" or "qcow2". One that breaks off is
// forgotten, and the next waited for. When a sender is told that all has come, that is on record: an importer that dies
// afterwards is followed by one that finds the image. Invalid when the image cannot be used; the sender knows.
Result<std::string> awaitUpload(const Reception& reception);

}  // namespace godwit::importer
