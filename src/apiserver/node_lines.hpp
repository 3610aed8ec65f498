#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.hpp"
#include "http/certificates.hpp"
#include "http/client.hpp"
#include "object/document.hpp"

namespace godwit::apiserver {

// Lines to the nodes themselves. Each node says in its Node where it answers and with which certificate; no other
// certificate is accepted.
class NodeLines {
 public:
  struct Config {
    http::KeyPair identity;             // the server's own, to the nodes
    std::string certificateAnnotation;  // of a Node: its certificate in PEM
  };
  using FindNode = std::function<Result<object::Document>(const std::string& name)>;

  NodeLines(FindNode findNode, Config config) : findNode_(std::move(findNode)), config_(std::move(config)) {}

  // Blocks until the answer begins; the body of a 200 comes as a stream. NotFound: there is no such Node. Internal: it
  // does not say where it answers, or does not answer. From any thread.
  Result<http::Response> send(const std::string& node, http::Request request);

 private:
  // What decides whether a line can be used again.
  struct Place {
    std::string host;
    unsigned short port = 0;
    std::string certificate;

    bool operator==(const Place&) const = default;
  };
  struct Line {
    Place place;
    std::shared_ptr<http::Client> client;
  };

  Result<Place> placeOf(const std::string& node) const;
  Result<std::shared_ptr<http::Client>> lineTo(const std::string& node);

  const FindNode findNode_;
  const Config config_;
  Mutex mutex_;
  std::map<std::string, Line> lines_ GUARDED_BY(mutex_);
};

}  // namespace godwit::apiserver
