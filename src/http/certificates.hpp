#pragma once

#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace godwit::http {

// A certificate and its private key (EC P-256), both in PEM.
struct KeyPair {
  std::string certificatePem;
  std::string keyPem;
};

struct CertificateRequest {
  std::string commonName;
  std::vector<std::string> organizations = {};
  std::vector<std::string> dnsNames = {};
  std::vector<std::string> ipAddresses = {};
  bool server = false;  // may prove who a server is
  bool client = false;  // may prove who a client is
  std::chrono::seconds validFor = std::chrono::hours(24) * 365;
};

// A self-signed authority that may issue leaf certificates and nothing else.
Result<KeyPair> makeAuthority(const std::string& commonName, Timestamp now, int validDays);

// A fresh key with a certificate signed by `authority`. Valid from five minutes before `now`: clocks differ.
Result<KeyPair> issue(const KeyPair& authority, const CertificateRequest& request, Timestamp now);

// A certificate for a key that is there already: whoever reads both files while one is replaced finds a pair.
Result<KeyPair> reissue(const KeyPair& authority, const CertificateRequest& request, const std::string& keyPem,
                        Timestamp now);

// The same without an authority: good only for whoever has been told to trust this very certificate.
Result<KeyPair> signItself(const CertificateRequest& request, Timestamp now);

// Whether a certificate will do in place of one that would be issued today: signed by this authority, for all these
// addresses, and not in the last third of its life.
bool willDo(const std::string& certificatePem, const KeyPair& authority, const CertificateRequest& request,
            Timestamp now);

}  // namespace godwit::http
