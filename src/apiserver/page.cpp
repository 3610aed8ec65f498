#include "apiserver/page.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "apiserver/location.hpp"
#include "apiserver/status.hpp"
#include "apiserver/stored.hpp"

namespace godwit::apiserver {
namespace {

// Where an earlier page ended: its revision, and the last key that was looked at, below the prefix.
struct Position {
  store::Revision revision = 0;
  std::string after;
};

std::string tokenFor(const Position& position) { return fmt::format("{}:{}", position.revision, position.after); }

Result<Position> parseToken(std::string_view token) {
  Position position;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), position.revision);
  const std::size_t read = static_cast<std::size_t>(end - token.data());
  if (problem != std::errc() || read >= token.size() || token[read] != ':')
    return fail(badRequest("invalid continue token: continue key is not valid"));
  position.after = token.substr(read + 1);
  return position;
}

Result<> checkVersion(const http::Query& query, store::Revision current) {
  const std::int64_t asked = TRY(numberOf(query, "resourceVersion")).value_or(0);
  if (asked > current) return fail(tooLargeVersion(asked, current));
  if (textOf(query, "resourceVersionMatch") == "Exact" && asked != current)
    return fail(Code::Gone, "The resourceVersion for the provided list is too old.");
  return {};
}

Result<std::vector<store::Entry>> selected(std::vector<store::Entry> entries, const Selection& selection) {
  if (selection.everything()) return entries;
  std::vector<store::Entry> kept;
  for (store::Entry& entry : entries)
    if (selection.matches(TRY(opened(*entry.value, entry.revision)))) kept.push_back(std::move(entry));
  return kept;
}

}  // namespace

Result<Page> readPage(store::Store& store, const Resource& resource, std::string_view nameSpace,
                      const http::Query& query) {
  const Selection selection = TRY(Selection::parse(query, resource));
  const auto limit = static_cast<std::size_t>(TRY(numberOf(query, "limit")).value_or(0));
  const std::string prefix = resource.storePrefixIn(nameSpace);
  const std::string token = textOf(query, "continue");
  std::optional<Position> position;
  if (!token.empty()) position = TRY(parseToken(token));

  Page page;
  std::string after = position ? prefix + position->after : "";
  for (bool more = true; more;) {
    const std::size_t wanted = limit == 0 ? 0 : limit - page.entries.size();
    store::Listing listing = TRY(store.list(prefix, wanted, after));
    if (page.revision == 0) {
      if (!position) TRY(checkVersion(query, listing.revision));
      page.revision = position ? position->revision : listing.revision;
    }
    more = listing.more && !listing.entries.empty();
    if (more) after = listing.entries.back().key;
    auto kept = TRY(selected(std::move(listing.entries), selection));
    std::move(kept.begin(), kept.end(), std::back_inserter(page.entries));
    if (more && page.entries.size() >= limit) {
      page.continueToken = tokenFor({page.revision, after.substr(prefix.size())});
      break;
    }
  }
  return page;
}

}  // namespace godwit::apiserver
