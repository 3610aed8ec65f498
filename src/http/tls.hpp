#pragma once

#include <optional>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include "http/client.hpp"
#include "http/message.hpp"
#include "http/server.hpp"

namespace godwit::http {

using TlsStream = boost::asio::ssl::stream<boost::beast::tcp_stream>;

// The largest record of TLS. Beast reads as much at a time as its buffer has room for, and starts with 512 bytes.
inline constexpr std::size_t kRecordBytes = 16 << 10;

// TLS 1.2 or newer. A client may present a certificate, but not one that clientCa does not vouch for.
Result<boost::asio::ssl::context> serverContext(const TlsServerFiles& files);

// Trusts config.caCertificate alone, and presents the client certificate if there is one.
Result<boost::asio::ssl::context> clientContext(const ClientConfig& config);

// Makes the coming handshake demand that the certificate is meant for `host`, a name or an address.
Result<> expectHost(TlsStream& stream, const std::string& host);

// Who the verified certificate of the other side names; nobody if it presented none.
std::optional<PeerCertificate> peerOf(TlsStream& stream);

// Sends small writes at once, and finds out within a minute or so that the other host has vanished.
void tuneSocket(boost::asio::ip::tcp::socket& socket);

}  // namespace godwit::http
