#pragma once

#include <cerrno>
#include <string>

#include "base/result.hpp"

namespace godwit {

// "cannot open /a/b: Permission denied", in the words of the system. NotFound when there is no such file.
Failure failedTo(const char* what, const std::string& whom, int error = errno);

}  // namespace godwit
