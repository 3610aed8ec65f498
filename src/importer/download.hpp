#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "importer/bytes.hpp"
#include "importer/orders.hpp"

namespace godwit::importer {

// For people: without whatever in it could be a secret.
std::string withoutSecrets(const std::string& url);

// Fetches it, redirects followed. `note` hears at least once a second how many bytes have come, and of how many (0:
// not said); an error of its own ends the download. Unavailable when the server or the way there is at fault.
Result<> fetch(const Download& wanted, const Sink& into,
               const std::function<Result<>(std::int64_t done, std::int64_t total)>& note);

}  // namespace godwit::importer
