#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/message.hpp"
#include "object/document.hpp"
#include "schema/definition.hpp"

// How the server says yes and no: JSON responses, and metav1.Status for a refusal.
namespace godwit::apiserver {

// What a refusal is about. The name is empty when it is about a whole collection.
struct Subject {
  std::string_view group;
  std::string_view plural;
  std::string_view kind;
  std::string name;
};

Subject subjectOf(const schema::Kind& kind, std::string_view name);

// "widgets.bench.example.com", or the word alone in the core group.
std::string qualified(std::string_view word, std::string_view group);

Error notFound(const Subject& subject);
Error alreadyExists(const Subject& subject);
// The object is not at the version that the caller has seen.
Error modifiedMeanwhile(const Subject& subject);
// The request itself makes no sense, whatever the object: 400.
Error badRequest(std::string message);
// Something about the object is wrong: 422. A problem without a path is told by the message alone.
Error invalid(std::vector<FieldProblem> problems, std::string message = {});
Error tooLargeVersion(std::int64_t asked, std::int64_t current);

json::object statusOf(const Error& error, const Subject& subject);
// What a successful deletion answers when nothing is left of the object.
json::object deletedStatus(const Subject& subject, std::string_view uid);

http::Response respond(int status, const json::value& body);
http::Response respondText(int status, std::string body);
// 201: what was asked for by a POST that makes no object is done.
http::Response respondDone();
http::Response refuse(const Error& error, const Subject& subject);
// A refusal that no Code stands for, such as 415 or 401.
http::Response refuse(int status, std::string_view reason, std::string_view message);

}  // namespace godwit::apiserver
