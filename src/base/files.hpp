#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace godwit {

// The whole content. NotFound when there is no such file.
Result<std::string> readFile(const std::string& path);

// Makes `content` the file's, at once or not at all, and durable before it returns. Only its owner may read it.
Result<> replaceFile(const std::string& path, std::string_view content);

// Makes durable which files a directory has.
Result<> syncDirectory(const std::string& path);

}  // namespace godwit
