#include "http/wire.hpp"

#include <fmt/format.h>
#include <boost/beast/http/status.hpp>

namespace godwit::http {
namespace {

bool isFraming(std::string_view name) {
  return name == "content-length" || name == "transfer-encoding" || name == "connection" || name == "host";
}

// A line break inside a value would start a header of its own.
std::string onOneLine(std::string value) {
  std::replace_if(
      value.begin(), value.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  return value;
}

void addHeaders(std::string& head, const Headers& headers) {
  for (const auto& [name, value] : headers)
    if (!isFraming(name)) head += fmt::format("{}: {}\r\n", name, onOneLine(value));
}

bool hasNoBody(int status) { return status < 200 || status == 204 || status == 304; }

}  // namespace

std::string render(const Response& response, Framing framing) {
  const auto status = static_cast<unsigned>(response.status);
  const std::string_view reason = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(status));
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", status, reason);
  addHeaders(text, response.headers);
  if (!framing.keepAlive) text += "connection: close\r\n";
  if (hasNoBody(response.status)) return text + "\r\n";
  if (response.stream) return text + "transfer-encoding: chunked\r\n\r\n";
  text += fmt::format("content-length: {}\r\n\r\n", response.body.size());
  if (framing.withBody) text += response.body;
  return text;
}

std::string render(const Request& request, const std::string& host) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nhost: {}\r\n", request.method, request.target, host);
  addHeaders(text, request.headers);
  if (request.stream) return text + "transfer-encoding: chunked\r\n\r\n";
  if (!request.body.empty() || (request.method != "GET" && request.method != "HEAD"))
    text += fmt::format("content-length: {}\r\n", request.body.size());
  return text + "\r\n" + request.body;
}

std::string renderChunk(const Stream::Taken& taken) {
  std::size_t size = 0;
  for (const Chunk& chunk : taken.chunks) size += chunk->size();
  std::string text;
  if (size > 0) {
    text.reserve(size + 32);
    text = fmt::format("{:x}\r\n", size);
    for (const Chunk& chunk : taken.chunks) text += *chunk;
    text += "\r\n";
  }
  if (taken.ended) text += "0\r\n\r\n";
  return text;
}

}  // namespace godwit::http
