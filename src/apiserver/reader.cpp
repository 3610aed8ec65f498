#include "apiserver/reader.hpp"

#include "apiserver/location.hpp"
#include "apiserver/rendering.hpp"
#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

http::Response jsonBody(std::string text) {
  http::Response response;
  response.headers["content-type"] = "application/json";
  response.body = std::move(text);
  return response;
}

}  // namespace

Result<http::Response> Reader::get(const Call& call) const {
  const store::Entry entry = TRY(objects_.read(call.resource, call.key()));
  const std::int64_t asked = TRY(numberOf(call.query, "resourceVersion")).value_or(0);
  if (const store::Revision current = store_.revision(); asked > current) return fail(tooLargeVersion(asked, current));
  const Rendering rendering(call.resource, call.accepted, call.query, clock_);
  return jsonBody(TRY(rendering.object(*entry.value, entry.revision)));
}

Result<http::Response> Reader::list(const Call& call) const {
  const Page page = TRY(readPage(store_, call.resource, call.access.nameSpace, call.query));
  return jsonBody(TRY(Rendering(call.resource, call.accepted, call.query, clock_).page(page)));
}

Result<http::Response> Reader::watch(const Call& call) const {
  return openWatch(store_, lines_,
                   {.resource = call.resource,
                    .nameSpace = call.access.nameSpace,
                    .query = call.query,
                    .rendering = Rendering(call.resource, call.accepted, call.query, clock_)});
}

}  // namespace godwit::apiserver
