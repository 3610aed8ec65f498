#include "apiserver/stored.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace godwit::apiserver {
namespace {

constexpr std::string_view kMetadata = "\"metadata\":{";
constexpr std::array<std::string_view, 3> kHead = {"apiVersion", "kind", "metadata"};
constexpr std::array<std::string_view, 3> kNotKept = {"resourceVersion", "managedFields", "selfLink"};

template <class Words>
bool isOneOf(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void appendMember(std::string& out, std::string_view name, const json::value& value) {
  if (out.back() != '{') out += ',';
  out += json::serialize(json::string(name));
  out += ':';
  out += json::serialize(value);
}

void appendMetadata(std::string& out, const json::object& metadata) {
  out += out.back() == '{' ? "\"metadata\":{" : ",\"metadata\":{";
  for (const auto& [name, value] : metadata)
    if (!isOneOf(kNotKept, name)) appendMember(out, name, value);
  out += '}';
}

// Where the first member of metadata begins. Before it stand only apiVersion and kind, which hold no braces.
std::size_t metadataIn(std::string_view stored) {
  const std::size_t at = stored.find(kMetadata);
  ENSURE(at != std::string_view::npos, "what is stored was sealed");
  return at + kMetadata.size();
}

void appendFrom(std::string& out, std::string_view head, std::string_view rest, store::Revision revision) {
  out += head;
  if (revision == 0) {
    out += rest;
    return;
  }
  fmt::format_to(std::back_inserter(out), "\"resourceVersion\":\"{}\"", revision);
  if (!rest.starts_with('}')) out += ',';
  out += rest;
}

}  // namespace

std::string sealed(const object::Document& document) {
  static const json::object kNone;
  std::string out = "{";
  for (const std::string_view name : {kHead[0], kHead[1]})
    if (const json::value* value = document.if_contains(name)) appendMember(out, name, *value);
  const json::value* metadata = document.if_contains("metadata");
  appendMetadata(out, metadata != nullptr && metadata->is_object() ? metadata->get_object() : kNone);
  for (const auto& [name, value] : document)
    if (!isOneOf(kHead, name)) appendMember(out, name, value);
  out += '}';
  return out;
}

Result<object::Document> opened(std::string_view stored, store::Revision revision) {
  object::Document document = TRY(object::parseDocument(stored));
  document["metadata"].as_object()["resourceVersion"] = fmt::to_string(revision);
  return document;
}

void appendOpened(std::string& out, std::string_view stored, store::Revision revision) {
  const std::size_t at = metadataIn(stored);
  appendFrom(out, stored.substr(0, at), stored.substr(at), revision);
}

void appendOpenedItem(std::string& out, std::string_view stored, store::Revision revision) {
  out += '{';
  appendFrom(out, kMetadata, stored.substr(metadataIn(stored)), revision);
}

}  // namespace godwit::apiserver
