#include "base/image_reference.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace godwit {
namespace {

constexpr std::string_view kScheme = "docker://";
constexpr std::string_view kLatest = "latest";
constexpr std::string_view kDigest = "sha256:";
constexpr std::size_t kDigestDigits = 64;
constexpr std::size_t kLongestTag = 128;

bool isLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool isWord(char c) { return isLower(c) || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// Folders of lower-case words, with separators inside.
bool isRepository(std::string_view text) {
  char before = '/';
  for (const char c : text) {
    const bool separates = c == '/' || c == '.' || c == '_' || c == '-';
    if (!separates && !isLower(c)) return false;
    if (separates && (before == '/' || (c == '/' && !isLower(before)))) return false;
    before = c;
  }
  return isLower(before);
}

bool isTag(std::string_view text) {
  const auto allowed = [](char c) { return isWord(c) || c == '.' || c == '-'; };
  return !text.empty() && text.size() <= kLongestTag && isWord(text.front()) &&
         std::all_of(text.begin(), text.end(), allowed);
}

bool isDigest(std::string_view text) {
  if (!text.starts_with(kDigest)) return false;
  text.remove_prefix(kDigest.size());
  return text.size() == kDigestDigits && std::all_of(text.begin(), text.end(), isHex);
}

bool isHost(std::string_view text) {
  const auto allowed = [](char c) { return isWord(c) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

// A folder of a repository has neither.
bool looksLikeHost(std::string_view text) {
  return text == "localhost" || text.find_first_of(".:") != std::string_view::npos;
}

}  // namespace

Result<ImageReference> ImageReference::parse(std::string_view text) {
  const auto refused = fail(Code::Invalid, fmt::format("\"{}\" names no container image", text));
  if (text.starts_with(kScheme)) text.remove_prefix(kScheme.size());
  ImageReference reference;
  std::string_view name = text.substr(0, text.find('@'));
  std::string_view tag = kLatest;
  if (const auto colon = name.rfind(':'); colon != std::string_view::npos && name.find('/', colon) == name.npos) {
    tag = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  if (!isTag(tag)) return refused;
  reference.version = tag;
  if (const auto at = text.find('@'); at != std::string_view::npos) {
    if (!isDigest(text.substr(at + 1))) return refused;
    reference.version = text.substr(at + 1);
  }
  const auto slash = name.find('/');
  const bool hosted = slash != std::string_view::npos && looksLikeHost(name.substr(0, slash));
  reference.registry = hosted ? name.substr(0, slash) : "docker.io";
  reference.repository = hosted ? name.substr(slash + 1) : name;
  if (reference.registry == "docker.io") {
    reference.registry = "registry-1.docker.io";
    if (reference.repository.find('/') == std::string::npos) reference.repository.insert(0, "library/");
  }
  if (!isHost(reference.registry) || !isRepository(reference.repository)) return refused;
  return reference;
}

}  // namespace godwit
