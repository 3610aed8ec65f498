#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "schema/define.hpp"
#include "schema/metadata.hpp"
#include "store/memory/memory_store.hpp"

// The kinds that the tests of this room serve: one custom, and built-in ones with and without a status.
namespace godwit::apiserver::testing {

struct WidgetSpec {
  std::optional<std::int64_t> size;
  std::string color;
  std::string origin;

  bool operator==(const WidgetSpec&) const = default;
};

struct WidgetStatus {
  std::optional<std::int64_t> count;
  std::string phase;

  bool operator==(const WidgetStatus&) const = default;
};

struct Widget {
  schema::Metadata metadata;
  WidgetSpec spec;
  WidgetStatus status;

  bool operator==(const Widget&) const = default;
};

struct ConfigMap {
  schema::Metadata metadata;
  std::map<std::string, std::string> data;

  bool operator==(const ConfigMap&) const = default;
};

struct Namespace {
  schema::Metadata metadata;
  json::object status;

  bool operator==(const Namespace&) const = default;
};

struct Pod {
  schema::Metadata metadata;
  json::object spec;
  json::object status;

  bool operator==(const Pod&) const = default;
};

}  // namespace godwit::apiserver::testing

namespace godwit::schema {

namespace world = apiserver::testing;

template <>
inline constexpr auto schema<world::WidgetSpec> =
    object(field<&world::WidgetSpec::size>("size", "How large it is.", atLeast(0)),
           field<&world::WidgetSpec::color>("color", "What it looks like."),
           field<&world::WidgetSpec::origin>("origin", "Where it was made.", immutable), kept("weight"));
template <>
inline constexpr auto schema<world::WidgetStatus> = object(field<&world::WidgetStatus::count>("count",
                                                                                              "How many there are."),
                                                           field<&world::WidgetStatus::phase>("phase", "How it is."));
template <>
inline constexpr auto schema<world::Widget> = object(field<&world::Widget::metadata>("metadata", "Metadata."),
                                                     field<&world::Widget::spec>("spec", "What is wanted."),
                                                     field<&world::Widget::status>("status", "What is."));
template <>
inline constexpr auto schema<world::ConfigMap> = object(field<&world::ConfigMap::metadata>("metadata", "Metadata."),
                                                        field<&world::ConfigMap::data>("data", "What it holds."));
template <>
inline constexpr auto schema<world::Namespace> = object(field<&world::Namespace::metadata>("metadata", "Metadata."),
                                                        field<&world::Namespace::status>("status", "What is."));
template <>
inline constexpr auto schema<world::Pod> = object(field<&world::Pod::metadata>("metadata", "Metadata."),
                                                  field<&world::Pod::spec>("spec", "What is wanted."),
                                                  field<&world::Pod::status>("status", "What is."));

inline constexpr std::string_view kWidgetShortNames[] = {"wd"};
inline constexpr std::string_view kPodFieldSelectors[] = {"spec.nodeName"};
inline constexpr Column kWidgetColumns[] = {{"Count", ".status.count", "integer"},
                                            {"Age", ".metadata.creationTimestamp", "date"}};

template <>
inline constexpr Kind kind<world::Widget> = {.group = "bench.example.com",
                                             .version = "v1",
                                             .name = "Widget",
                                             .plural = "widgets",
                                             .singular = "widget",
                                             .shortNames = kWidgetShortNames,
                                             .columns = kWidgetColumns};
template <>
inline constexpr Kind kind<world::ConfigMap> = {.group = "",
                                                .version = "v1",
                                                .name = "ConfigMap",
                                                .plural = "configmaps",
                                                .singular = "configmap",
                                                .hasStatus = false};
template <>
inline constexpr Kind kind<world::Namespace> = {.group = "",
                                                .version = "v1",
                                                .name = "Namespace",
                                                .plural = "namespaces",
                                                .singular = "namespace",
                                                .scope = Scope::Cluster};
template <>
inline constexpr Kind kind<world::Pod> = {.group = "",
                                          .version = "v1",
                                          .name = "Pod",
                                          .plural = "pods",
                                          .singular = "pod",
                                          .fieldSelectors = kPodFieldSelectors};

}  // namespace godwit::schema

namespace godwit::apiserver::testing {

inline constexpr std::string_view kWidgets = "/apis/bench.example.com/v1/namespaces/default/widgets";
inline constexpr std::string_view kConfigMaps = "/api/v1/namespaces/default/configmaps";
inline constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
inline constexpr std::string_view kMerge = "application/merge-patch+json";
inline constexpr std::string_view kJsonPatch = "application/json-patch+json";
inline constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";
inline constexpr std::string_view kApply = "application/apply-patch+yaml";

inline std::string widget(std::string_view name, std::string_view more = "", int size = 1) {
  return fmt::format(R"({{"apiVersion":"bench.example.com/v1","kind":"Widget","metadata":{{"name":"{}"{}}},)"
                     R"("spec":{{"size":{},"color":"red"}}}})",
                     name, more, size);
}

// An API server over an empty store, and a caller who may do everything.
class World {
 public:
  explicit World(std::size_t remembered = 1000, GracePeriod gracePeriod = nullptr)
      : store(remembered),
        server(
            store,
            {schema::define<Namespace>(), schema::define<ConfigMap>(), schema::define<Pod>(), schema::define<Widget>()},
            clock, random,
            {.tokens = {{.token = "secret", .user = "admin", .groups = {"system:masters"}}},
             .gracePeriod = std::move(gracePeriod)}) {}

  http::Response send(std::string_view method, std::string_view target, std::string_view body = "",
                      std::string_view contentType = "application/json", std::string_view accept = "application/json") {
    http::Request request;
    request.method = method;
    request.target = target;
    request.body = body;
    request.headers = {{"authorization", "Bearer secret"},
                       {"content-type", std::string(contentType)},
                       {"accept", std::string(accept)}};
    return server.handle(request);
  }
  http::Response get(std::string_view target, std::string_view accept = "application/json") {
    return send("GET", target, "", "application/json", accept);
  }
  http::Response post(std::string_view target, std::string_view body) { return send("POST", target, body); }
  http::Response patch(std::string_view target, std::string_view type, std::string_view body) {
    return send("PATCH", target, body, type);
  }
  http::Response remove(std::string_view target, std::string_view body = "") { return send("DELETE", target, body); }

  ManualClock clock;
  SeededRandom random{1};
  store::MemoryStore store;
  ApiServer server;
};

inline json::object bodyOf(const http::Response& response) {
  auto document = object::parseDocument(response.body);
  EXPECT_TRUE(document) << response.body;
  return document.value_or(json::object());
}

// The text at a path of the body, or "".
inline std::string at(const http::Response& response, std::initializer_list<std::string_view> path) {
  return object::textAt(bodyOf(response), path);
}
inline std::string version(const http::Response& response) { return at(response, {"metadata", "resourceVersion"}); }

inline std::string numberAt(const http::Response& response, std::initializer_list<std::string_view> path) {
  const json::object body = bodyOf(response);
  const json::value* found = object::find(body, path);
  return found != nullptr ? json::serialize(*found) : "";
}

// Status, reason and message of a refusal, as one line.
inline std::string refusal(const http::Response& response) {
  return fmt::format("{} {}: {}", response.status, at(response, {"reason"}), at(response, {"message"}));
}

// What a stream has to say now, each event as "TYPE name".
inline std::vector<std::string> eventsOf(http::Stream& stream) {
  std::vector<std::string> events;
  for (const http::Chunk& chunk : stream.take().chunks) {
    const auto event = object::parseDocument(*chunk);
    EXPECT_TRUE(event) << *chunk;
    events.push_back(object::textAt(*event, {"type"}) + " " + object::textAt(*event, {"object", "metadata", "name"}));
  }
  return events;
}

using Events = std::vector<std::string>;

}  // namespace godwit::apiserver::testing
