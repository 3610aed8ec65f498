#include "importer/registry_image.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "importer/digest.hpp"

namespace godwit::importer {
namespace {

constexpr std::string_view kIndexTypes[] = {"application/vnd.oci.image.index.v1+json",
                                            "application/vnd.docker.distribution.manifest.list.v2+json"};
constexpr std::string_view kManifestTypes =
    "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json";
constexpr std::size_t kMostManifest = 4 << 20;
constexpr std::string_view kArchitecture = "amd64";

using object::Document;

// As container runtimes do: what is on this machine needs no encryption.
bool isLocal(const std::string& registry) {
  const std::string host = registry.substr(0, registry.rfind(':'));
  return host == "localhost" || host.starts_with("127.") || host == "[::1]" || registry == "localhost";
}

// The value of a parameter of `Bearer realm="...",service="..."`.
std::string parameterOf(const std::string& challenge, const std::string& name) {
  const std::string opening = name + "=\"";
  const auto begin = challenge.find(opening);
  if (begin == std::string::npos) return "";
  const auto end = challenge.find('"', begin + opening.size());
  return challenge.substr(begin + opening.size(), end - begin - opening.size());
}

// Gathers what is known to be short.
Sink into(std::string& text) {
  return [&text](std::string_view bytes) -> Result<> {
    text += bytes;
    if (text.size() > kMostManifest) return fail(Code::Invalid, "the registry sends more than a manifest can be");
    return {};
  };
}

Result<> nothingToNote(std::int64_t, std::int64_t) { return {}; }

const json::array* listAt(const Document& document, std::string_view name) {
  const json::value* found = object::find(document, {name});
  return found && found->is_array() ? &found->get_array() : nullptr;
}

std::string textIn(const json::value& value, std::initializer_list<std::string_view> path) {
  return value.is_object() ? object::textAt(Document(value.get_object()), path) : "";
}

// Empty when there is none.
std::string digestForThisMachine(const json::array& manifests) {
  for (const json::value& manifest : manifests)
    if (textIn(manifest, {"platform", "architecture"}) == kArchitecture &&
        textIn(manifest, {"platform", "os"}) == "linux")
      return textIn(manifest, {"digest"});
  return "";
}

}  // namespace

Result<RegistryImage> RegistryImage::named(const Download& wanted) {
  return RegistryImage(TRY(ImageReference::parse(wanted.url)), wanted);
}

std::string RegistryImage::urlOf(const std::string& path) const {
  return fmt::format("{}://{}/v2/{}/{}", isLocal(reference_.registry) ? "http" : "https", reference_.registry,
                     reference_.repository, path);
}

Result<> RegistryImage::get(const std::string& path, const std::string& accepted, const Sink& into, const Note& note) {
  Download request{.url = urlOf(path), .certificates = access_.certificates};
  const auto ask = [&](std::string* challenge) {
    request.headers = {"Accept: " + accepted};
    if (!authorization_.empty()) request.headers.push_back(authorization_);
    return importer::fetch(request, into, note, challenge);
  };
  std::string challenge;
  auto outcome = ask(&challenge);
  if (outcome || challenge.empty()) return outcome;
  TRY(answer(challenge));
  return ask(nullptr);
}

Result<> RegistryImage::answer(const std::string& challenge) {
  if (challenge.starts_with("Basic")) {
    if (access_.user.empty())
      return fail(Code::Forbidden, fmt::format("{} wants to know who asks", reference_.registry));
    authorization_ = "Authorization: Basic " + encodeBase64(access_.user + ":" + access_.password);
    return {};
  }
  const std::string realm = parameterOf(challenge, "realm");
  if (!challenge.starts_with("Bearer") || realm.empty())
    return fail(Code::Forbidden, fmt::format("{} asks for credentials in an unknown way", reference_.registry));
  Download request{.url = fmt::format("{}?service={}&scope={}", realm, escaped(parameterOf(challenge, "service")),
                                      escaped(fmt::format("repository:{}:pull", reference_.repository))),
                   .user = access_.user,
                   .password = access_.password,
                   .certificates = access_.certificates};
  std::string text;
  TRY(importer::fetch(request, into(text), nothingToNote));
  const Document said = TRY(object::parseDocument(text));
  std::string token = object::textAt(said, {"token"});
  if (token.empty()) token = object::textAt(said, {"access_token"});
  if (token.empty()) return fail(Code::Forbidden, fmt::format("{} gives no token", withoutSecrets(realm)));
  authorization_ = "Authorization: Bearer " + token;
  return {};
}

Result<Document> RegistryImage::manifest(const std::string& version) {
  std::string text;
  TRY(get("manifests/" + version, std::string(kManifestTypes), into(text), nothingToNote));
  if (version.starts_with("sha256:")) {
    Digest digest = TRY(Digest::expecting(version));
    digest.take(text);
    TRY(digest.compare());
  }
  return object::parseDocument(text);
}

Result<std::vector<RegistryImage::Layer>> RegistryImage::layers() {
  Document found = TRY(manifest(reference_.version));
  const std::string type = object::textAt(found, {"mediaType"});
  const json::array* manifests = listAt(found, "manifests");
  if (manifests && (type.empty() || std::count(std::begin(kIndexTypes), std::end(kIndexTypes), type) > 0)) {
    const std::string digest = digestForThisMachine(*manifests);
    if (digest.empty()) return fail(Code::Invalid, fmt::format("{} has no image for {}", access_.url, kArchitecture));
    found = TRY(manifest(digest));
  }
  const json::array* listed = listAt(found, "layers");
  if (!listed) return fail(Code::Invalid, fmt::format("{} is no image of a known kind", access_.url));
  std::vector<Layer> layers;
  for (const json::value& layer : *listed) {
    const json::value* size = layer.is_object() ? layer.get_object().if_contains("size") : nullptr;
    layers.push_back({textIn(layer, {"digest"}), size && size->is_int64() ? size->get_int64() : 0});
  }
  return layers;
}

Result<> RegistryImage::fetch(const Layer& layer, const Sink& into, const Note& note) {
  Digest digest = TRY(Digest::expecting(layer.digest));
  TRY(get(
      "blobs/" + layer.digest, "*/*",
      [&](std::string_view bytes) -> Result<> {
        digest.take(bytes);
        return into(bytes);
      },
      note));
  return digest.compare();
}

}  // namespace godwit::importer
