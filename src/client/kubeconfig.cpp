#include "client/kubeconfig.hpp"

#include <charconv>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "base/files.hpp"
#include "object/yaml.hpp"
#include "schema/read.hpp"
#include "schema/schema.hpp"
#include "schema/write.hpp"

namespace godwit::client {
namespace {

struct Cluster {
  std::string server;
  std::string authorityFile;
  std::string authority;  // base64, as is all that stands beside a file

  bool operator==(const Cluster&) const = default;
};

struct User {
  std::string certificateFile;
  std::string certificate;
  std::string keyFile;
  std::string key;
  std::string token;
  std::string tokenFile;
  json::object exec;

  bool operator==(const User&) const = default;
};

struct Context {
  std::string cluster;
  std::string user;

  bool operator==(const Context&) const = default;
};

struct NamedCluster {
  std::string name;
  Cluster value;

  bool operator==(const NamedCluster&) const = default;
};

struct NamedUser {
  std::string name;
  User value;

  bool operator==(const NamedUser&) const = default;
};

struct NamedContext {
  std::string name;
  Context value;

  bool operator==(const NamedContext&) const = default;
};

struct Kubeconfig {
  std::string apiVersion;
  std::string kind;
  std::vector<NamedCluster> clusters;
  std::vector<NamedUser> users;
  std::vector<NamedContext> contexts;
  std::string currentContext;

  bool operator==(const Kubeconfig&) const = default;
};

}  // namespace
}  // namespace godwit::client

namespace godwit::schema {

template <>
inline constexpr auto schema<client::Cluster> =
    object(field<&client::Cluster::server>("server", "Where it is.", required),
           field<&client::Cluster::authorityFile>("certificate-authority", "File with the authority."),
           field<&client::Cluster::authority>("certificate-authority-data", "The authority itself."), open);

template <>
inline constexpr auto schema<client::User> =
    object(field<&client::User::certificateFile>("client-certificate", "File with the certificate."),
           field<&client::User::certificate>("client-certificate-data", "The certificate itself."),
           field<&client::User::keyFile>("client-key", "File with the key."),
           field<&client::User::key>("client-key-data", "The key itself."),
           field<&client::User::token>("token", "Bearer token."),
           field<&client::User::tokenFile>("tokenFile", "File with the token."),
           field<&client::User::exec>("exec", "A program that has the credentials."), open);

template <>
inline constexpr auto schema<client::Context> =
    object(field<&client::Context::cluster>("cluster", "Name of the cluster.", required),
           field<&client::Context::user>("user", "Name of the user.", required), open);

template <>
inline constexpr auto schema<client::NamedCluster> =
    object(field<&client::NamedCluster::name>("name", "Name.", required),
           field<&client::NamedCluster::value>("cluster", "The cluster.", required));

template <>
inline constexpr auto schema<client::NamedUser> = object(field<&client::NamedUser::name>("name", "Name.", required),
                                                         field<&client::NamedUser::value>("user", "The user."));

template <>
inline constexpr auto schema<client::NamedContext> =
    object(field<&client::NamedContext::name>("name", "Name.", required),
           field<&client::NamedContext::value>("context", "The context.", required));

template <>
inline constexpr auto schema<client::Kubeconfig> = object(
    field<&client::Kubeconfig::apiVersion>("apiVersion", "v1."), field<&client::Kubeconfig::kind>("kind", "Config."),
    field<&client::Kubeconfig::clusters>("clusters", "Where servers are."),
    field<&client::Kubeconfig::users>("users", "Who one can be."),
    field<&client::Kubeconfig::contexts>("contexts", "Who one is where."),
    field<&client::Kubeconfig::currentContext>("current-context", "The context to use.", required), open);

}  // namespace godwit::schema

namespace godwit::client {
namespace {

template <class Named>
Result<decltype(Named::value)> find(const std::vector<Named>& all, const std::string& name, std::string_view what) {
  for (const Named& one : all)
    if (one.name == name) return one.value;
  return fail(Code::Invalid, fmt::format("there is no {} \"{}\"", what, name));
}

struct Address {
  std::string host;
  unsigned short port = 443;
};

// "https://host[:port][/]"; an IPv6 address stands in brackets.
Result<Address> parseServer(std::string_view server) {
  constexpr std::string_view kScheme = "https://";
  const Failure unusable = fail(Code::Invalid, fmt::format("the server {} cannot be used", server));
  if (!server.starts_with(kScheme)) return unusable;
  server.remove_prefix(kScheme.size());
  if (server.ends_with('/')) server.remove_suffix(1);
  if (server.empty() || server.find_first_of("/?#@") != server.npos) return unusable;
  Address address;
  const auto colon = server.rfind(':');
  const auto bracket = server.rfind(']');
  std::string_view host = server;
  if (colon != server.npos && (bracket == server.npos || bracket < colon)) {
    host = server.substr(0, colon);
    const std::string_view port = server.substr(colon + 1);
    const auto parsed = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (parsed.ec != std::errc() || parsed.ptr != port.data() + port.size()) return unusable;
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  address.host = host;
  return address;
}

// What stands in a field of a kubeconfig, or in the file that it names.
Result<std::string> contentOf(const std::string& data, const std::string& file, const std::filesystem::path& base) {
  if (!data.empty()) return decodeBase64(data);
  if (!file.empty()) return readFile(base / file);
  return "";
}

Result<std::string> tokenOf(const User& user, const std::filesystem::path& base) {
  if (!user.token.empty() || user.tokenFile.empty()) return user.token;
  std::string token = TRY(readFile(base / user.tokenFile));
  token.erase(token.find_last_not_of(" \r\n\t") + 1);
  return token;
}

Result<http::ClientConfig> read(const Kubeconfig& kubeconfig, const std::filesystem::path& base) {
  const auto context = TRY(find(kubeconfig.contexts, kubeconfig.currentContext, "context"));
  const auto cluster = TRY(find(kubeconfig.clusters, context.cluster, "cluster"));
  const auto user = TRY(find(kubeconfig.users, context.user, "user"));
  if (!user.exec.empty()) return fail(Code::Invalid, "credentials from a program are not supported");
  const Address address = TRY(parseServer(cluster.server));
  http::ClientConfig config;
  config.host = address.host;
  config.port = address.port;
  config.caCertificate = TRY(contentOf(cluster.authority, cluster.authorityFile, base));
  config.clientCertificate = TRY(contentOf(user.certificate, user.certificateFile, base));
  config.clientKey = TRY(contentOf(user.key, user.keyFile, base));
  config.bearerToken = TRY(tokenOf(user, base));
  if (config.caCertificate.empty()) return fail(Code::Invalid, "the cluster names no certificate authority");
  return config;
}

}  // namespace

Result<http::ClientConfig> loadKubeconfig(const std::string& path) {
  const std::string text = TRY(readFile(path));
  const auto config = [&]() -> Result<http::ClientConfig> {
    const auto documents = TRY(object::parseYaml(text));
    if (documents.size() != 1) return fail(Code::Invalid, "one document is expected");
    return read(TRY(schema::parse<Kubeconfig>(documents[0])), std::filesystem::path(path).parent_path());
  }();
  if (!config) return fail(within(path, config.error()));
  return config;
}

std::string writeKubeconfig(const http::ClientConfig& config, const std::string& name) {
  const bool isIpv6 = config.host.find(':') != std::string::npos;
  const std::string host = isIpv6 ? "[" + config.host + "]" : config.host;
  const Cluster cluster{.server = fmt::format("https://{}:{}", host, config.port),
                        .authorityFile = "",
                        .authority = encodeBase64(config.caCertificate)};
  User user;
  user.certificate = encodeBase64(config.clientCertificate);
  user.key = encodeBase64(config.clientKey);
  user.token = config.bearerToken;
  return object::writeYaml(schema::write(Kubeconfig{.apiVersion = "v1",
                                                    .kind = "Config",
                                                    .clusters = {{name, cluster}},
                                                    .users = {{name, user}},
                                                    .contexts = {{name, {.cluster = name, .user = name}}},
                                                    .currentContext = name}));
}

}  // namespace godwit::client
