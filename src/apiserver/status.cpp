#include "apiserver/status.hpp"

#include <array>

#include <fmt/format.h>

namespace godwit::apiserver {
namespace {

struct Row {
  Code code;
  int status;
  std::string_view reason;
};

// In the order of Code. Code::Invalid without field problems is a BadRequest instead.
constexpr std::array kRows = {
    Row{Code::NotFound, 404, "NotFound"},
    Row{Code::AlreadyExists, 409, "AlreadyExists"},
    Row{Code::Conflict, 409, "Conflict"},
    Row{Code::Invalid, 422, "Invalid"},
    Row{Code::Forbidden, 403, "Forbidden"},
    Row{Code::Gone, 410, "Expired"},
    Row{Code::Unavailable, 503, "ServiceUnavailable"},
    Row{Code::Timeout, 504, "Timeout"},
    Row{Code::Internal, 500, "InternalError"},
};
constexpr Row kBadRequest = {Code::Invalid, 400, "BadRequest"};

constexpr bool rowsFollowCodes() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<std::size_t>(kRows[i].code) != i) return false;
  return true;
}
static_assert(rowsFollowCodes());

const Row& rowOf(const Error& error) {
  if (error.code == Code::Invalid && error.problems.empty()) return kBadRequest;
  return kRows[static_cast<std::size_t>(error.code)];
}

// A field problem says by its first words what kind of problem it is.
struct CauseWord {
  std::string_view text;
  std::string_view reason;
};
constexpr std::array kCauseWords = {
    CauseWord{"Required value", "FieldValueRequired"},   CauseWord{"Forbidden", "FieldValueForbidden"},
    CauseWord{"Duplicate value", "FieldValueDuplicate"}, CauseWord{"Unsupported value", "FieldValueNotSupported"},
    CauseWord{"Not found", "FieldValueNotFound"},        CauseWord{"Invalid value", "FieldValueInvalid"},
};

json::object causeOf(const FieldProblem& problem) {
  std::string message = problem.problem;
  std::string_view reason;
  for (const CauseWord& word : kCauseWords)
    if (message.starts_with(word.text)) reason = word.reason;
  if (reason.empty()) {
    reason = "FieldValueInvalid";
    message = fmt::format("Invalid value: {}", message);
  }
  if (message.find("must be of type") != std::string::npos) reason = "FieldValueTypeInvalid";
  const std::string_view path = problem.path;
  return {{"reason", reason}, {"message", message}, {"field", path.starts_with('.') ? path.substr(1) : path}};
}

bool concernsFields(const Error& error) {
  return error.code == Code::Invalid && !error.problems.empty() && !error.problems.front().path.empty();
}

json::object detailsOf(const Error& error, const Subject& subject) {
  json::object details;
  if (error.code == Code::Timeout && !error.problems.empty()) {
    details["causes"] = {{{"reason", "ResourceVersionTooLarge"}, {"message", error.problems.front().problem}}};
    details["retryAfterSeconds"] = 1;
    return details;
  }
  if (error.code == Code::Invalid && !concernsFields(error)) return details;
  if (!subject.name.empty()) details["name"] = subject.name;
  if (!subject.group.empty()) details["group"] = subject.group;
  const std::string_view kind = error.code == Code::Invalid ? subject.kind : subject.plural;
  if (!kind.empty()) details["kind"] = kind;
  if (concernsFields(error)) {
    json::array causes;
    for (const FieldProblem& problem : error.problems) causes.push_back(causeOf(problem));
    details["causes"] = std::move(causes);
  }
  return details;
}

std::string messageOf(const Error& error, const Subject& subject) {
  if (!concernsFields(error)) return error.message;
  std::string list;
  for (const FieldProblem& problem : error.problems) {
    const json::object cause = causeOf(problem);
    if (!list.empty()) list += ", ";
    list += fmt::format("{}: {}", cause.at("field").as_string().c_str(), cause.at("message").as_string().c_str());
  }
  if (error.problems.size() > 1) list = fmt::format("[{}]", list);
  return fmt::format("{} \"{}\" is invalid: {}", qualified(subject.kind, subject.group), subject.name, list);
}

json::object status(std::string_view word) {
  return {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", json::object()}, {"status", word}};
}

}  // namespace

Subject subjectOf(const schema::Kind& kind, std::string_view name) {
  return {kind.group, kind.plural, kind.name, std::string(name)};
}

std::string qualified(std::string_view word, std::string_view group) {
  return group.empty() ? std::string(word) : fmt::format("{}.{}", word, group);
}

Error notFound(const Subject& subject) {
  return {Code::NotFound, fmt::format("{} \"{}\" not found", qualified(subject.plural, subject.group), subject.name)};
}

Error alreadyExists(const Subject& subject) {
  return {Code::AlreadyExists,
          fmt::format("{} \"{}\" already exists", qualified(subject.plural, subject.group), subject.name)};
}

Error modifiedMeanwhile(const Subject& subject) {
  return {Code::Conflict,
          fmt::format("Operation cannot be fulfilled on {} \"{}\": the object has been modified; please "
                      "apply your changes to the latest version and try again",
                      qualified(subject.plural, subject.group), subject.name)};
}

Error badRequest(std::string message) { return {Code::Invalid, std::move(message)}; }

Error invalid(std::vector<FieldProblem> problems, std::string message) {
  return {Code::Invalid, std::move(message), std::move(problems)};
}

Error tooLargeVersion(std::int64_t asked, std::int64_t current) {
  return {Code::Timeout,
          fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current),
          {{"", "Too large resource version"}}};
}

json::object statusOf(const Error& error, const Subject& subject) {
  const Row& row = rowOf(error);
  json::object told = status("Failure");
  told["message"] = messageOf(error, subject);
  told["reason"] = row.reason;
  if (row.status != 400 && row.status != 410) told["details"] = detailsOf(error, subject);
  told["code"] = row.status;
  return told;
}

json::object deletedStatus(const Subject& subject, std::string_view uid) {
  json::object told = status("Success");
  json::object details = {{"name", subject.name}};
  if (!subject.group.empty()) details["group"] = subject.group;
  details["kind"] = subject.plural;
  details["uid"] = uid;
  told["details"] = std::move(details);
  return told;
}

http::Response respond(int status, const json::value& body) {
  http::Response response;
  response.status = status;
  response.headers["content-type"] = "application/json";
  response.body = json::serialize(body);
  return response;
}

http::Response respondDone() {
  json::object told = status("Success");
  told["code"] = 201;
  return respond(201, told);
}

http::Response respondText(int status, std::string body) {
  http::Response response;
  response.status = status;
  response.headers["content-type"] = "text/plain; charset=utf-8";
  response.body = std::move(body);
  return response;
}

http::Response refuse(const Error& error, const Subject& subject) {
  http::Response response = respond(rowOf(error).status, statusOf(error, subject));
  if (error.code == Code::Timeout || error.code == Code::Unavailable) response.headers.emplace("retry-after", "1");
  return response;
}

http::Response refuse(int code, std::string_view reason, std::string_view message) {
  json::object told = status("Failure");
  told["message"] = message;
  told["reason"] = reason;
  told["code"] = code;
  return respond(code, told);
}

}  // namespace godwit::apiserver
