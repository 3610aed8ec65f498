#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/descriptor.hpp"
#include "base/directory_watch.hpp"
#include "base/files.hpp"

// image_server DIRECTORY: serves its files by HTTP on a port of 127.0.0.1, which it prints. "/moved/F" redirects to F,
// "/private/F" wants somebody (user "importer", password "let me in"), and of "/held/F" the second half is sent once
// there is a file "go" in the directory. It is a registry, too: what is under "/v2/" is shown to whoever has the token
// that "/token" gives.
namespace {

using namespace godwit;

constexpr const char* kBasicCredentials = "aW1wb3J0ZXI6bGV0IG1lIGlu";

void send(int peer, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) _exit(0);
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void sendHead(int peer, const std::string& status, std::size_t length, const std::string& more = "") {
  send(peer, "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " + std::to_string(length) + "\r\n" +
                 more + "\r\n");
}

std::string receiveHead(int peer) {
  std::string head;
  char part[4096];
  while (head.find("\r\n\r\n") == std::string::npos) {
    const ssize_t length = ::recv(peer, part, sizeof part, 0);
    if (length <= 0) _exit(0);
    head.append(part, static_cast<std::size_t>(length));
  }
  return head;
}

void awaitGo(const std::string& directory) {
  auto watch = DirectoryWatch::open();
  if (!watch || !watch->add(directory)) _exit(1);
  while (!std::filesystem::exists(directory + "/go")) {
    pollfd news{.fd = watch->descriptor(), .events = POLLIN, .revents = 0};
    poll(&news, 1, -1);
    watch->take();
  }
}

// Takes the prefix off the path, if it is there.
bool isUnder(std::string& path, const std::string& prefix) {
  if (!path.starts_with(prefix)) return false;
  path.erase(0, prefix.size());
  return true;
}

std::string headerIn(const std::string& head, const std::string& name) {
  const auto begin = head.find("\r\n" + name + ": ");
  if (begin == std::string::npos) return "";
  const auto value = begin + name.size() + 4;
  return head.substr(value, head.find("\r\n", value) - value);
}

void answer(int peer, const std::string& directory) {
  const std::string head = receiveHead(peer);
  const std::size_t begin = head.find(' ') + 1;
  std::string path = head.substr(begin, head.find(' ', begin) - begin);
  if (isUnder(path, "/moved/")) return sendHead(peer, "302 Found", 0, "Location: /" + path + "\r\n");
  if (isUnder(path, "/private/") && head.find(kBasicCredentials) == std::string::npos)
    return sendHead(peer, "401 Unauthorized", 0);
  if (path.starts_with("/token?")) {
    constexpr std::string_view kToken = R"({"token":"for-the-test"})";
    sendHead(peer, "200 OK", kToken.size());
    return send(peer, kToken);
  }
  if (path.starts_with("/v2/") && headerIn(head, "Authorization") != "Bearer for-the-test")
    return sendHead(peer, "401 Unauthorized", 0,
                    "WWW-Authenticate: Bearer realm=\"http://" + headerIn(head, "Host") +
                        "/token\",service=\"images\",scope=\"repository:any:pull\"\r\n");
  const bool held = isUnder(path, "/held/");
  const auto file = readFile(directory + "/" + path);
  if (!file) return sendHead(peer, "404 Not Found", 0);
  const std::string_view bytes = *file;
  sendHead(peer, "200 OK", bytes.size());
  send(peer, bytes.substr(0, bytes.size() / 2));
  if (held) awaitGo(directory);
  send(peer, bytes.substr(bytes.size() / 2));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::signal(SIGCHLD, SIG_IGN);
  const Descriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (::bind(listening.number(), reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      ::listen(listening.number(), SOMAXCONN) != 0 ||
      ::getsockname(listening.number(), reinterpret_cast<sockaddr*>(&address), &length) != 0)
    return 1;
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  for (;;) {
    const Descriptor peer(::accept(listening.number(), nullptr, nullptr));
    if (!peer) return 1;
    if (::fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      answer(peer.number(), argv[1]);
      _exit(0);
    }
  }
}
