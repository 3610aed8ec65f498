#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace godwit {

// The whole content. NotFound when there is no such file.
Result<std::string> readFile(const std::string& path);

// What of a file is safe when a call returns. One of which only the content is has that, or is not there at all, or is
// still the one before, until its directory is synced. One of which nothing is may be anything after a power cut.
enum class Durable { Nothing, Content, ContentAndName };

// Makes `content` the file's, at once or not at all. Only its owner may read it.
Result<> replaceFile(const std::string& path, std::string_view content, Durable durable = Durable::ContentAndName);

// Makes durable which files a directory has.
Result<> syncDirectory(const std::string& path);

}  // namespace godwit
