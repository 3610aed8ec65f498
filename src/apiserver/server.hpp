#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authentication.hpp"
#include "apiserver/discovery.hpp"
#include "apiserver/endpoint.hpp"
#include "apiserver/location.hpp"
#include "apiserver/namespaces.hpp"
#include "apiserver/objects.hpp"
#include "apiserver/reader.hpp"
#include "apiserver/writer.hpp"

namespace godwit::apiserver {

struct Options {
  std::vector<BearerToken> tokens;
  GracePeriod gracePeriod = nullptr;
};

// The Kubernetes API over any store and any kinds. Starts no threads and keeps nothing but what is
// in the store, so it can be called by a socket server or directly, and thrown away at any time.
class ApiServer final : public http::Handler {
 public:
  // Sees to it that the namespace "default" is there. The store, clock and dice must outlive the server and its
  // streams.
  ApiServer(store::Store& store, std::vector<schema::Definition> definitions, const Clock& clock, Random& random,
            Options options);

  // Not to be called once requests come in.
  void add(Endpoint endpoint);
  // A path of one part that belongs to no resource, such as "metrics". Called from several threads.
  void add(std::string path, std::function<http::Response()> answer);

  http::Response handle(const http::Request& request) override;

  // Creates the namespace unless it is there; safe to repeat.
  Result<> ensureNamespace(std::string_view name);

  // For endpoints that are to change objects.
  Objects& objects() { return objects_; }
  const Catalog& catalog() const { return catalog_; }

 private:
  http::Response answer(const http::Request& request, const http::Target& target, const User& user);
  http::Response answerObjects(const http::Request& request, const http::Query& query, const Resource& resource,
                               const Access& access);
  http::Response answerEndpoint(const Endpoint& endpoint, const EndpointCall& call);
  http::Response answerPath(const http::Request& request, const http::Target& target);
  const Endpoint* findEndpoint(const ResourcePath& path) const;

  const Catalog catalog_;
  const Authentication authentication_;
  Objects objects_;
  const Namespaces namespaces_;
  const Reader reader_;
  const Writer writer_;
  std::vector<Endpoint> endpoints_;
  std::map<std::string, std::function<http::Response()>> paths_;
  std::vector<DiscoveredGroup> discovered_;
};

}  // namespace godwit::apiserver
