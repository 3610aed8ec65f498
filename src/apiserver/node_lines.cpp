#include "apiserver/node_lines.hpp"

#include <limits>

#include <fmt/format.h>

namespace godwit::apiserver {
namespace {

// A node that says nothing for so long has hung; those who ask it must not wait in a row.
constexpr auto kPatience = std::chrono::seconds(10);

// A stream ends with its client, so it keeps it.
class LineStream final : public http::Stream {
 public:
  LineStream(std::shared_ptr<http::Client> client, std::unique_ptr<http::Stream> stream)
      : client_(std::move(client)), stream_(std::move(stream)) {}

  Taken take() override { return stream_->take(); }
  void whenReady(std::function<void()> wake) override { stream_->whenReady(std::move(wake)); }

 private:
  const std::shared_ptr<http::Client> client_;
  const std::unique_ptr<http::Stream> stream_;  // goes before its client
};

std::string internalAddress(const object::Document& node) {
  const json::value* addresses = object::find(node, {"status", "addresses"});
  if (!addresses || !addresses->is_array()) return "";
  for (const json::value& address : addresses->get_array())
    if (address.is_object() && object::textAt(address.get_object(), {"type"}) == "InternalIP")
      return object::textAt(address.get_object(), {"address"});
  return "";
}

unsigned short portOf(const object::Document& node) {
  const json::value* port = object::find(node, {"status", "daemonEndpoints", "kubeletEndpoint", "Port"});
  const std::int64_t number = port && port->is_int64() ? port->get_int64() : 0;
  const bool fits = number > 0 && number <= std::numeric_limits<unsigned short>::max();
  return fits ? static_cast<unsigned short>(number) : static_cast<unsigned short>(0);
}

}  // namespace

Result<http::Response> NodeLines::send(const std::string& node, http::Request request) {
  auto client = TRY(lineTo(node));
  request.headers.emplace(http::kStreamHeader, "true");
  auto response = client->send(request);
  if (!response)
    return fail(Code::Internal, fmt::format("node \"{}\" does not answer: {}", node, response.error().message));
  if (response->stream) response->stream = std::make_unique<LineStream>(std::move(client), std::move(response->stream));
  return response;
}

Result<NodeLines::Place> NodeLines::placeOf(const std::string& node) const {
  const object::Document found = TRY(findNode_(node));
  const Place place{.host = internalAddress(found),
                    .port = portOf(found),
                    .certificate = object::textAt(found, {"metadata", "annotations", config_.certificateAnnotation})};
  if (place.host.empty() || place.port == 0 || place.certificate.empty())
    return fail(Code::Internal, fmt::format("node \"{}\" does not say where it answers, and with which certificate: is "
                                            "its agent older than this server?",
                                            node));
  return place;
}

Result<std::shared_ptr<http::Client>> NodeLines::lineTo(const std::string& node) {
  const Place place = TRY(placeOf(node));
  const Lock lock(mutex_);
  Line& line = lines_[node];
  if (line.client && line.place == place) return line.client;
  auto client = http::Client::create({.host = place.host,
                                      .port = place.port,
                                      .caCertificate = place.certificate,
                                      .clientCertificate = config_.identity.certificatePem,
                                      .clientKey = config_.identity.keyPem,
                                      .timeout = kPatience});
  if (!client) return fail(within(fmt::format("node \"{}\"", node), {Code::Internal, client.error().message}));
  line = {place, std::move(*client)};
  return line.client;
}

}  // namespace godwit::apiserver
