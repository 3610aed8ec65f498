#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "importer/bytes.hpp"
#include "importer/orders.hpp"

namespace godwit::importer {

// For people: without whatever in it could be a secret.
std::string withoutSecrets(const std::string& url);

// As the value of a query's parameter.
std::string escaped(const std::string& text);

// Hears at least once a second how many bytes have come, and of how many (0: not said); an error of its own ends the
// download.
using Note = std::function<Result<>(std::int64_t done, std::int64_t total)>;

// Fetches it, redirects followed. Unavailable when the server or the way there is at fault. A server that wants to know
// who asks says in `challenge` how.
Result<> fetch(const Download& wanted, const Sink& into, const Note& note, std::string* challenge = nullptr);

}  // namespace godwit::importer
