#pragma once

#include <algorithm>
#include <cctype>
#include <string>

#include "http/message.hpp"

// Messages as text. Each is rendered into one string, because every buffer handed to TLS becomes a record and a
// system call of its own.
namespace godwit::http {

struct Framing {
  bool keepAlive = true;
  bool withBody = true;  // false in answer to HEAD
};

// The head, and the body unless the response has a stream.
std::string render(const Response& response, Framing framing);

// The head, and the body unless the request has a stream. `host` as in the Host header, with its port.
std::string render(const Request& request, const std::string& host);

// All that was taken as one chunk, and the end of the body if there is no more to come.
std::string renderChunk(const Stream::Taken& taken);

// Beast's fields with names in lower case; repeated ones are joined with commas.
template <class Fields>
Headers toHeaders(const Fields& fields) {
  Headers headers;
  for (const auto& field : fields) {
    std::string name(field.name_string());
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string& value = headers[name];
    if (!value.empty()) value += ", ";
    value += std::string(field.value());
  }
  return headers;
}

}  // namespace godwit::http
