#include <filesystem>
#include <thread>

#include "apiserver/binding.hpp"
#include "apiserver/node_lines.hpp"
#include "apiserver/pod_log.hpp"
#include "apiserver/server.hpp"
#include "apiserver/status.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/stop_signals.hpp"
#include "bin/claim_admission.hpp"
#include "bin/commands.hpp"
#include "bin/host_certificate.hpp"
#include "bin/machine_admission.hpp"
#include "bin/migratable_nodes.hpp"
#include "client/kubeconfig.hpp"
#include "control/workers.hpp"
#include "http/certificates.hpp"
#include "http/server.hpp"
#include "kinds/kubevirt.hpp"
#include "kinds/migration.hpp"
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "metrics/board.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "subresources/endpoints.hpp"
#include "subresources/eviction.hpp"
#include "subresources/harvester_actions.hpp"
#include "subresources/new_migration.hpp"
#include "uploads/doorway.hpp"
#include "uploads/token_requests.hpp"

namespace godwit::bin {
namespace {

namespace fs = std::filesystem;

constexpr int kAuthorityDays = 3650;

// The papers of one server, made at its first start and kept.
struct Identity {
  fs::path authority, authorityKey, certificate, key;
  http::KeyPair admin;
  http::KeyPair toNodes;  // as whom it calls them
};

Result<http::KeyPair> keep(const fs::path& certificate, const fs::path& key, const Result<http::KeyPair>& made) {
  if (!made) return made;
  TRY(replaceFile(key, made->keyPem));
  TRY(replaceFile(certificate, made->certificatePem));
  return made;
}

// What was issued before, for as long as it will do.
Result<http::KeyPair> keepIssued(const http::KeyPair& authority, const fs::path& certificate, const fs::path& key,
                                 const http::CertificateRequest& request, Timestamp now) {
  const auto kept = loadPair(certificate, key);
  if (kept && http::willDo(kept->certificatePem, authority, request, now)) return kept;
  return keep(certificate, key, http::issue(authority, request, now));
}

Result<Identity> identify(const ServerOptions& options, Timestamp now) {
  const fs::path directory = fs::path(options.directory) / "pki";
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return fail(Code::Unavailable, "cannot make " + directory.string() + ": " + error.message());
  const auto at = [&](const char* name) { return directory / name; };
  Identity identity{at("ca.crt"), at("ca.key"), at("server.crt"), at("server.key"), {}, {}};
  auto authority = loadPair(identity.authority, identity.authorityKey);
  if (!authority)
    authority =
        TRY(keep(identity.authority, identity.authorityKey, http::makeAuthority("godwit", now, kAuthorityDays)));
  TRY(keepIssued(*authority, identity.certificate, identity.key,
                 {.commonName = "godwit-server",
                  .dnsNames = {"localhost"},
                  .ipAddresses = {"127.0.0.1", options.address},
                  .server = true},
                 now));
  identity.admin = TRY(keepIssued(*authority, at("admin.crt"), at("admin.key"),
                                  {.commonName = "admin", .organizations = {"system:masters"}, .client = true}, now));
  identity.toNodes = TRY(http::issue(*authority,
                                     {.commonName = "kube-apiserver-kubelet-client",
                                      .organizations = {"system:masters"},
                                      .client = true,
                                      .validFor = std::chrono::hours(24) * kAuthorityDays},
                                     now));
  return identity;
}

// What upload tokens are signed with; made once, so that they outlive the server.
Result<std::string> tokenKey(const fs::path& file, Random& random) {
  const auto kept = readFile(file);
  if (kept || kept.error().code != Code::NotFound) return kept;
  const std::string made = uuid(random) + uuid(random);
  TRY(replaceFile(file, made));
  return made;
}

// Listens, and says in the kubeconfig where.
Result<std::unique_ptr<http::Server>> open(const ServerOptions& options, const Identity& identity,
                                           http::Handler& handler) {
  auto server = TRY(http::Server::listen(
      {.address = options.address,
       .port = options.port,
       .tls = {.certificate = identity.certificate, .key = identity.key, .clientCa = identity.authority}},
      handler));
  const std::string authority = TRY(readFile(identity.authority));
  TRY(replaceFile(options.kubeconfig, client::writeKubeconfig({.host = options.address,
                                                               .port = server->port(),
                                                               .caCertificate = authority,
                                                               .clientCertificate = identity.admin.certificatePem,
                                                               .clientKey = identity.admin.keyPem},
                                                              "godwit")));
  return server;
}

// What holds for the cluster lies where people look for it, until they choose something else.
Result<> ensureConfiguration(apiserver::ApiServer& api, const client::Client& itself) {
  for (const std::string_view name :
       {std::string_view("kube-system"), kinds::words::kLeaseNamespace, kinds::words::kKubeVirt})
    TRY(api.ensureNamespace(name));
  if (!TRY(itself.list(schema::kind<kinds::KubeVirt>)).items.empty()) return {};
  kinds::KubeVirt usual;
  usual.metadata.nameSpace = usual.metadata.name = kinds::words::kKubeVirt;
  usual.spec.configuration.emplace().migrations = kinds::usualMigrations();
  return itself.ensure(usual);
}

http::Response show(const metrics::Board& board) {
  http::Response response = apiserver::respondText(200, board.text());
  response.headers["content-type"] = metrics::kTextFormat;
  return response;
}

Result<> serve(const ServerOptions& options, std::stop_token stop) {
  const SystemClock clock;
  SystemRandom random;
  const Identity identity = TRY(identify(options, clock.now()));
  const auto store = TRY(store::SqliteStore::open(fs::path(options.directory) / "store.db"));
  // By which the server asks itself; nobody else ever sees it.
  const std::string ownToken = uuid(random);
  apiserver::ApiServer api(*store, kinds::all(), clock, random,
                           {.tokens = {{ownToken, "system:apiserver", {"system:masters"}}}});
  client::InProcessTransport toItself(api, ownToken);
  const client::Client itself(toItself);
  admitClaims(api);
  admitMachines(api, itself);
  api.objects().completeBy(api.catalog().at(schema::kind<kinds::VirtualMachineInstanceMigration>),
                           subresources::completeMigration);
  api.add(apiserver::bindingEndpoint(api.objects(), api.catalog().at(schema::kind<kinds::Pod>), clock));
  const auto findNode = [&](const std::string& name) {
    return api.objects().get(api.catalog().at(schema::kind<kinds::Node>), {"", name});
  };
  apiserver::NodeLines nodes(findNode, {identity.toNodes, std::string(kinds::words::kServingCertificate)});
  const auto askNode = [&](const std::string& node, http::Request request) {
    return nodes.send(node, std::move(request));
  };
  api.add(apiserver::podLogEndpoint(api.objects(), api.catalog().at(schema::kind<kinds::Pod>), askNode));
  api.add(subresources::evictionEndpoint(api.objects(), api.catalog()));
  const uploads::Targets targets(api.objects(), api.catalog());
  const uploads::Tokens tokens(TRY(tokenKey(fs::path(options.directory) / "pki" / "uploads.key", random)));
  api.add(uploads::tokenRequestEndpoint(targets, tokens, clock));
  subresources::HarvesterActions actions(api);
  uploads::Doorway doorway(
      {.api = actions, .targets = targets, .tokens = tokens, .askNode = askNode, .clock = clock, .stop = stop});
  for (auto& endpoint : subresources::endpoints(api.objects(), api.catalog())) api.add(std::move(endpoint));
  api.add(migratableNodesEndpoint(itself, clock, random));
  metrics::Board board(itself, clock.now());
  api.add("metrics", [&] { return show(board); });
  TRY(ensureConfiguration(api, itself));
  const auto server = TRY(open(options, identity, doorway));
  log::info("serving on {}:{}", options.address, server->port());
  const std::jthread watching([&] { control::runWorkers(board.reflectors(), {}, 0, stop); });
  server->run(stop);
  return {};
}

}  // namespace

int runServerCommand(const ServerOptions& options) {
  const StopSignals signals;
  return exitCode(serve(options, signals.token()));
}

}  // namespace godwit::bin
