#include "http/tls.hpp"

#include <netinet/tcp.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>

#include "http/openssl.hpp"

namespace godwit::http {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;

using KeepIdle = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPIDLE>;
using KeepInterval = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPINTVL>;
using KeepCount = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPCNT>;

Failure refused(const std::string& what, const error_code& error) {
  return fail(Code::Invalid, what + ": " + error.message());
}

ssl::context modernContext(ssl::context::method method) {
  ssl::context context(method);
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  return context;
}

// OpenSSL refuses to resume sessions that asked for a client certificate unless they are told apart by an id
// context; without resumption there is nothing to refuse, and nothing arrives on an idle connection but its end.
void forbidResumption(ssl::context& context) {
  SSL_CTX_set_session_cache_mode(context.native_handle(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context.native_handle(), SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(context.native_handle(), 0);
}

std::vector<std::string> subjectEntries(const X509& certificate, int field) {
  std::vector<std::string> found;
  const X509_NAME* subject = X509_get_subject_name(&certificate);
  for (int at = X509_NAME_get_index_by_NID(subject, field, -1); at >= 0;
       at = X509_NAME_get_index_by_NID(subject, field, at)) {
    unsigned char* text = nullptr;
    const int size = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
    if (size < 0) continue;
    found.emplace_back(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
    OPENSSL_free(text);
  }
  return found;
}

}  // namespace

Result<ssl::context> serverContext(const TlsServerFiles& files) {
  ssl::context context = modernContext(ssl::context::tls_server);
  forbidResumption(context);
  error_code error;
  if (context.use_certificate_chain_file(files.certificate.string(), error))
    return refused(files.certificate.string(), error);
  if (context.use_private_key_file(files.key.string(), ssl::context::pem, error))
    return refused(files.key.string(), error);
  if (files.clientCa.empty()) return context;
  if (context.load_verify_file(files.clientCa.string(), error)) return refused(files.clientCa.string(), error);
  context.set_verify_mode(ssl::verify_peer);
  return context;
}

Result<ssl::context> clientContext(const ClientConfig& config) {
  ssl::context context = modernContext(ssl::context::tls_client);
  context.set_verify_mode(ssl::verify_peer);
  error_code error;
  if (context.add_certificate_authority(asio::buffer(config.caCertificate), error))
    return refused("CA certificate", error);
  if (config.clientCertificate.empty()) return context;
  if (context.use_certificate_chain(asio::buffer(config.clientCertificate), error))
    return refused("client certificate", error);
  if (context.use_private_key(asio::buffer(config.clientKey), ssl::context::pem, error))
    return refused("client key", error);
  return context;
}

Result<> expectHost(TlsStream& stream, const std::string& host) {
  error_code error;
  if (stream.set_verify_callback(ssl::host_name_verification(host), error)) return refused(host, error);
  asio::ip::make_address(host, error);
  const bool isName = static_cast<bool>(error);
  if (isName && !SSL_set_tlsext_host_name(stream.native_handle(), host.c_str())) return fail(opensslError(host));
  return {};
}

std::optional<PeerCertificate> peerOf(TlsStream& stream) {
  const Owned<X509, X509_free> certificate{SSL_get1_peer_certificate(stream.native_handle())};
  if (!certificate) return std::nullopt;
  PeerCertificate peer;
  const std::vector<std::string> names = subjectEntries(*certificate, NID_commonName);
  if (!names.empty()) peer.commonName = names.front();
  peer.organizations = subjectEntries(*certificate, NID_organizationName);
  return peer;
}

void tuneSocket(asio::ip::tcp::socket& socket) {
  // A socket that is already gone refuses these; its next read says so.
  error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  socket.set_option(KeepIdle(30), ignored);
  socket.set_option(KeepInterval(10), ignored);
  socket.set_option(KeepCount(3), ignored);
}

}  // namespace godwit::http
