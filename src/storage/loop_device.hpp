#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"

// Loop devices: the kernel shows a file as a block device. They belong to the machine, not to a process, and stay
// when whoever attached them dies.
namespace godwit::storage {

// The device that shows the file, "/dev/loop0"; nothing when none does, or there is no such file.
Result<std::optional<std::string>> findLoopDevice(const std::string& file);

// The device that shows the file; one is attached when none does yet. A file never gets two, which would not agree
// about what is in it, however many ask at a time.
Result<std::string> attachLoopDevice(const std::string& file);

// Lets the device, if there is one, show the file as large as it is now.
Result<> measureLoopDevice(const std::string& file);

// Succeeds when nothing shows the file. A device that somebody has open goes when it is closed.
Result<> detachLoopDevice(const std::string& file);

}  // namespace godwit::storage
