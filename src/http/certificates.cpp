#include "http/certificates.hpp"

#include <ctime>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "http/openssl.hpp"

namespace godwit::http {
namespace {

using Certificate = Owned<X509, X509_free>;
using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using Memory = Owned<BIO, BIO_free_all>;
using Number = Owned<BIGNUM, BN_free>;
using Extension = Owned<X509_EXTENSION, X509_EXTENSION_free>;
using AlternativeName = Owned<GENERAL_NAME, GENERAL_NAME_free>;
using AlternativeNames = Owned<GENERAL_NAMES, GENERAL_NAMES_free>;

constexpr auto kClockSkew = std::chrono::minutes(5);
constexpr int kSerialBits = 127;  // positive and within the 20 octets of RFC 5280

Result<Key> makeKey() {
  Key key{EVP_EC_gen("P-256")};
  if (!key) return fail(opensslError("making a key"));
  return key;
}

// A certificate for `key` with a random serial number, but without names, extensions and signature.
Result<Certificate> draft(EVP_PKEY& key, Timestamp now, std::chrono::seconds validFor) {
  Certificate certificate{X509_new()};
  Number serial{BN_new()};
  const std::time_t from = std::chrono::system_clock::to_time_t(now - kClockSkew);
  const std::time_t until = std::chrono::system_clock::to_time_t(now + validFor);
  const bool drafted = certificate && serial && X509_set_version(certificate.get(), X509_VERSION_3) &&
                       BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) &&
                       BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate.get())) &&
                       ASN1_TIME_set(X509_getm_notBefore(certificate.get()), from) &&
                       ASN1_TIME_set(X509_getm_notAfter(certificate.get()), until) &&
                       X509_set_pubkey(certificate.get(), &key);
  if (!drafted) return fail(opensslError("drafting a certificate"));
  return certificate;
}

bool addName(X509& certificate, int field, const std::string& text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  return X509_NAME_add_entry_by_NID(X509_get_subject_name(&certificate), field, MBSTRING_UTF8, bytes,
                                    static_cast<int>(text.size()), -1, 0);
}

bool addExtension(X509& certificate, X509& issuer, int extension, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  const Extension made{X509V3_EXT_conf_nid(nullptr, &context, extension, value)};
  return made && X509_add_ext(&certificate, made.get(), -1);
}

bool addDnsName(GENERAL_NAMES& names, const std::string& dnsName) {
  AlternativeName name{GENERAL_NAME_new()};
  ASN1_IA5STRING* text = ASN1_IA5STRING_new();
  if (!name || !text) return false;
  GENERAL_NAME_set0_value(name.get(), GEN_DNS, text);
  return ASN1_STRING_set(text, dnsName.data(), static_cast<int>(dnsName.size())) &&
         sk_GENERAL_NAME_push(&names, name.get()) && name.release();
}

bool addIpAddress(GENERAL_NAMES& names, const std::string& address) {
  AlternativeName name{GENERAL_NAME_new()};
  ASN1_OCTET_STRING* octets = a2i_IPADDRESS(address.c_str());
  if (!name || !octets) return false;
  GENERAL_NAME_set0_value(name.get(), GEN_IPADD, octets);
  return sk_GENERAL_NAME_push(&names, name.get()) && name.release();
}

Result<> addAlternativeNames(X509& certificate, const CertificateRequest& request) {
  if (request.dnsNames.empty() && request.ipAddresses.empty()) return {};
  const AlternativeNames names{GENERAL_NAMES_new()};
  for (const std::string& dnsName : request.dnsNames)
    if (!addDnsName(*names, dnsName)) return fail(opensslError("DNS name \"" + dnsName + "\""));
  for (const std::string& address : request.ipAddresses)
    if (!addIpAddress(*names, address)) return fail(opensslError("IP address \"" + address + "\""));
  if (!X509_add1_ext_i2d(&certificate, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT))
    return fail(opensslError("adding alternative names"));
  return {};
}

std::string usesOf(const CertificateRequest& request) {
  if (request.server && request.client) return "serverAuth,clientAuth";
  return request.server ? "serverAuth" : "clientAuth";
}

std::string textOf(BIO& memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(&memory, &text);
  return {text, static_cast<std::size_t>(size)};
}

Result<KeyPair> print(X509& certificate, EVP_PKEY& key) {
  const Memory certificatePem{BIO_new(BIO_s_mem())};
  const Memory keyPem{BIO_new(BIO_s_mem())};
  const bool printed = certificatePem && keyPem && PEM_write_bio_X509(certificatePem.get(), &certificate) &&
                       PEM_write_bio_PKCS8PrivateKey(keyPem.get(), &key, nullptr, nullptr, 0, nullptr, nullptr);
  if (!printed) return fail(opensslError("printing a certificate"));
  return KeyPair{.certificatePem = textOf(*certificatePem), .keyPem = textOf(*keyPem)};
}

Result<Certificate> readCertificate(const std::string& pem) {
  const Memory memory{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
  Certificate certificate{PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr)};
  if (!certificate) return fail(opensslError("reading a certificate"));
  return certificate;
}

Result<Key> readKey(const std::string& pem) {
  const Memory memory{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
  Key key{PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr)};
  if (!key) return fail(opensslError("reading a key"));
  return key;
}

// Gives a draft its names, uses and signature. The issuer may be the certificate itself.
Result<> complete(X509& certificate, const CertificateRequest& request, X509& issuer, EVP_PKEY& issuerKey) {
  if (!request.server && !request.client)
    return fail(Code::Invalid, "a certificate for " + request.commonName + " is of use to neither server nor client");
  bool named = addName(certificate, NID_commonName, request.commonName);
  for (const std::string& organization : request.organizations)
    named = named && addName(certificate, NID_organizationName, organization);
  if (!named) return fail(opensslError("naming " + request.commonName));
  TRY(addAlternativeNames(certificate, request));

  // A key of this kind enciphers no other, but libvirt takes no certificate that does not say it may.
  const bool issued = X509_set_issuer_name(&certificate, X509_get_subject_name(&issuer)) &&
                      addExtension(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
                      addExtension(certificate, issuer, NID_key_usage, "critical,digitalSignature,keyEncipherment") &&
                      addExtension(certificate, issuer, NID_ext_key_usage, usesOf(request).c_str()) &&
                      addExtension(certificate, issuer, NID_subject_key_identifier, "hash") &&
                      addExtension(certificate, issuer, NID_authority_key_identifier, "keyid") &&
                      X509_sign(&certificate, &issuerKey, EVP_sha256());
  if (!issued) return fail(opensslError("issuing a certificate for " + request.commonName));
  return {};
}

Result<KeyPair> certify(const KeyPair& authority, const CertificateRequest& request, EVP_PKEY& key, Timestamp now) {
  const Certificate issuer = TRY(readCertificate(authority.certificatePem));
  const Key issuerKey = TRY(readKey(authority.keyPem));
  const Certificate certificate = TRY(draft(key, now, request.validFor));
  TRY(complete(*certificate, request, *issuer, *issuerKey));
  return print(*certificate, key);
}

}  // namespace

Result<KeyPair> makeAuthority(const std::string& commonName, Timestamp now, int validDays) {
  const Key key = TRY(makeKey());
  const Certificate certificate = TRY(draft(*key, now, std::chrono::hours(24) * validDays));
  const bool made = addName(*certificate, NID_commonName, commonName) &&
                    X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get())) &&
                    addExtension(*certificate, *certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                    addExtension(*certificate, *certificate, NID_key_usage, "critical,keyCertSign,cRLSign") &&
                    addExtension(*certificate, *certificate, NID_subject_key_identifier, "hash") &&
                    X509_sign(certificate.get(), key.get(), EVP_sha256());
  if (!made) return fail(opensslError("making the authority " + commonName));
  return print(*certificate, *key);
}

Result<KeyPair> issue(const KeyPair& authority, const CertificateRequest& request, Timestamp now) {
  const Key key = TRY(makeKey());
  return certify(authority, request, *key, now);
}

Result<KeyPair> reissue(const KeyPair& authority, const CertificateRequest& request, const std::string& keyPem,
                        Timestamp now) {
  const Key key = TRY(readKey(keyPem));
  return certify(authority, request, *key, now);
}

Result<KeyPair> signItself(const CertificateRequest& request, Timestamp now) {
  const Key key = TRY(makeKey());
  const Certificate certificate = TRY(draft(*key, now, request.validFor));
  TRY(complete(*certificate, request, *certificate, *key));
  return print(*certificate, *key);
}

bool willDo(const std::string& certificatePem, const KeyPair& authority, const CertificateRequest& request,
            Timestamp now) {
  const auto certificate = readCertificate(certificatePem);
  const auto issuer = readCertificate(authority.certificatePem);
  if (!certificate || !issuer) return false;
  std::time_t due = std::chrono::system_clock::to_time_t(now + request.validFor / 3);
  bool good = X509_verify(certificate->get(), X509_get0_pubkey(issuer->get())) == 1 &&
              X509_cmp_time(X509_get0_notAfter(certificate->get()), &due) > 0;
  for (const std::string& address : request.ipAddresses)
    good = good && X509_check_ip_asc(certificate->get(), address.c_str(), 0) == 1;
  ERR_clear_error();
  return good;
}

}  // namespace godwit::http
