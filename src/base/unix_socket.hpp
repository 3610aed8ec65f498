#pragma once

#include <sys/un.h>

#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit {

// Invalid when the path is too long for one.
Result<sockaddr_un> addressOf(const std::string& path);

// Connected to whoever listens there; `flags` are the socket's. Timeout when nobody has taken a connection for long.
Result<Descriptor> connectTo(const std::string& path, int flags = 0);

// All of it, on a socket that blocks. False when the line has ended before.
bool sendAll(int socket, std::string_view bytes);
bool receiveAll(int socket, char* into, std::size_t size);

}  // namespace godwit
