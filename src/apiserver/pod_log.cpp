#include "apiserver/pod_log.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

// What the node is to know; the container is part of its path.
constexpr std::string_view kPassedOn[] = {"follow",    "previous",  "timestamps", "sinceSeconds",
                                          "sinceTime", "tailLines", "limitBytes"};

std::vector<std::string> containersOf(const Document& pod) {
  std::vector<std::string> names;
  const json::value* containers = object::find(pod, {"spec", "containers"});
  if (!containers || !containers->is_array()) return names;
  for (const json::value& container : containers->get_array())
    if (container.is_object()) names.push_back(object::textAt(container.get_object(), {"name"}));
  return names;
}

Result<std::string> chooseContainer(const Document& pod, const EndpointCall& call) {
  const std::vector<std::string> names = containersOf(pod);
  const std::string asked = call.query.find("container").value_or("");
  if (asked.empty() && names.size() == 1) return names.front();
  if (asked.empty())
    return fail(badRequest(fmt::format("a container name must be specified for pod {}, choose one of: [{}]",
                                       call.key.name, fmt::join(names, " "))));
  if (std::find(names.begin(), names.end(), asked) == names.end())
    return fail(badRequest(fmt::format("container {} is not valid for pod {}", asked, call.key.name)));
  return asked;
}

std::string targetOn(const object::Key& pod, const std::string& container, const http::Query& query) {
  std::string target = fmt::format("/containerLogs/{}/{}/{}", http::encode(pod.nameSpace), http::encode(pod.name),
                                   http::encode(container));
  char mark = '?';
  for (const std::string_view name : kPassedOn)
    if (const auto value = query.find(name)) {
      target += fmt::format("{}{}={}", mark, name, http::encode(*value));
      mark = '&';
    }
  return target;
}

// A node refuses in plain text; the caller is to have it in the form, and with the code, that it knows.
Error refusalOf(const std::string& node, const http::Response& response) {
  std::string text = response.body.substr(0, response.body.find_last_not_of('\n') + 1);
  if (response.status == 400) return badRequest(std::move(text));
  if (response.status == 404) return {Code::NotFound, std::move(text)};
  return {Code::Internal, fmt::format("node \"{}\" answers with {}: {}", node, response.status, text)};
}

}  // namespace

Endpoint podLogEndpoint(Objects& objects, const Resource& pods, AskNode askNode) {
  auto answer = [&objects, &pods, askNode = std::move(askNode)](const EndpointCall& call) -> Result<http::Response> {
    const Document pod = TRY(objects.get(pods, call.key));
    const std::string container = TRY(chooseContainer(pod, call));
    const std::string node = object::textAt(pod, {"spec", "nodeName"});
    if (node.empty())
      return fail(badRequest(fmt::format("container \"{}\" in pod \"{}\" is waiting to start: ContainerCreating",
                                         container, call.key.name)));
    http::Response told = TRY(askNode(node, {.target = targetOn(call.key, container, call.query)}));
    if (told.status != 200) return fail(refusalOf(node, told));
    http::Response response = respondText(200, std::move(told.body));
    response.headers["content-type"] = "text/plain";
    response.stream = std::move(told.stream);
    return response;
  };
  return {.group = std::string(pods.kind().group),
          .version = std::string(pods.kind().version),
          .resource = std::string(pods.kind().plural),
          .subresource = "log",
          .kind = std::string(pods.kind().name),
          .namespaced = pods.namespaced(),
          .verbs = {"get"},
          .answer = std::move(answer)};
}

}  // namespace godwit::apiserver
