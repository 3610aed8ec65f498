#include "http/certificates.hpp"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "http/openssl.hpp"

namespace godwit::http {
namespace {

const Timestamp kNow = Timestamp(std::chrono::seconds(1'800'000'000));

CertificateRequest healthy() {
  return {.commonName = "node-1",
          .organizations = {"system:nodes"},
          .dnsNames = {"node-1.example"},
          .ipAddresses = {"127.0.0.1", "::1"},
          .server = true};
}

Owned<X509, X509_free> read(const KeyPair& pair) {
  const Owned<BIO, BIO_free_all> memory{
      BIO_new_mem_buf(pair.certificatePem.data(), static_cast<int>(pair.certificatePem.size()))};
  return Owned<X509, X509_free>{PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr)};
}

// X509_V_OK, or why `leaf` is not trusted by whoever trusts `authority` for that purpose.
int verify(const KeyPair& authority, const KeyPair& leaf, int purpose, Timestamp when) {
  const auto root = read(authority);
  const auto certificate = read(leaf);
  const Owned<X509_STORE, X509_STORE_free> store{X509_STORE_new()};
  X509_STORE_add_cert(store.get(), root.get());
  const Owned<X509_STORE_CTX, X509_STORE_CTX_free> context{X509_STORE_CTX_new()};
  X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr);
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_STORE_CTX_set_time(context.get(), 0, std::chrono::system_clock::to_time_t(when));
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

TEST(Certificates, AreTrustedByWhoeverTrustsTheAuthority) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  const KeyPair stranger = makeAuthority("godwit", kNow, 3650).value();
  const KeyPair leaf = issue(authority, healthy(), kNow).value();

  EXPECT_EQ(verify(authority, leaf, X509_PURPOSE_SSL_SERVER, kNow), X509_V_OK);
  EXPECT_NE(verify(stranger, leaf, X509_PURPOSE_SSL_SERVER, kNow), X509_V_OK);
}

TEST(Certificates, ServeOnlyTheirPurpose) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  const KeyPair leaf = issue(authority, healthy(), kNow).value();

  EXPECT_EQ(verify(authority, leaf, X509_PURPOSE_SSL_CLIENT, kNow), X509_V_ERR_INVALID_PURPOSE);
}

TEST(Certificates, AreValidFromALittleEarlierUntilTheirDaysAreOver) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  const KeyPair leaf = issue(authority, healthy(), kNow).value();
  const auto day = std::chrono::hours(24);

  EXPECT_EQ(verify(authority, leaf, X509_PURPOSE_SSL_SERVER, kNow - std::chrono::minutes(4)), X509_V_OK);
  EXPECT_EQ(verify(authority, leaf, X509_PURPOSE_SSL_SERVER, kNow + 364 * day), X509_V_OK);
  EXPECT_EQ(verify(authority, leaf, X509_PURPOSE_SSL_SERVER, kNow + 366 * day), X509_V_ERR_CERT_HAS_EXPIRED);
}

TEST(Certificates, NameTheHostsTheyStandFor) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  const auto leaf = read(issue(authority, healthy(), kNow).value());

  EXPECT_EQ(X509_check_host(leaf.get(), "node-1.example", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(leaf.get(), "node-2.example", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "::1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "127.0.0.2", 0), 0);
}

TEST(Certificates, ThatSignThemselvesAreTrustedByWhoeverTrustsThisVeryOne) {
  const KeyPair own = signItself(healthy(), kNow).value();
  const KeyPair another = signItself(healthy(), kNow).value();
  const KeyPair child = issue(own, healthy(), kNow).value();

  EXPECT_EQ(verify(own, own, X509_PURPOSE_SSL_SERVER, kNow), X509_V_OK);
  EXPECT_NE(verify(own, another, X509_PURPOSE_SSL_SERVER, kNow), X509_V_OK);
  EXPECT_NE(verify(own, child, X509_PURPOSE_SSL_SERVER, kNow), X509_V_OK);
}

TEST(Certificates, RefuseAnAddressThatIsNone) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  CertificateRequest request = healthy();
  request.ipAddresses = {"not-an-address"};

  EXPECT_EQ(issue(authority, request, kNow).error().code, Code::Invalid);
}

TEST(Certificates, AreNotIssuedWithoutAnAuthority) {
  EXPECT_EQ(issue(KeyPair{}, healthy(), kNow).error().code, Code::Invalid);
}

TEST(Certificates, WillDoUntilTheLastThirdOfTheirLife) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  auto request = healthy();
  request.validFor = std::chrono::seconds(90);
  const std::string issued = issue(authority, request, kNow)->certificatePem;
  EXPECT_TRUE(willDo(issued, authority, request, kNow + std::chrono::seconds(59)));
  EXPECT_FALSE(willDo(issued, authority, request, kNow + std::chrono::seconds(61)));
}

TEST(Certificates, WillDoForTheirAddressesAndAuthorityAlone) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  const std::string issued = issue(authority, healthy(), kNow)->certificatePem;
  auto elsewhere = healthy();
  elsewhere.ipAddresses.push_back("10.0.0.1");
  EXPECT_FALSE(willDo(issued, authority, elsewhere, kNow));
  EXPECT_FALSE(willDo(issued, makeAuthority("godwit", kNow, 3650).value(), healthy(), kNow));
  EXPECT_FALSE(willDo("nothing", authority, healthy(), kNow));
}

TEST(Certificates, KeepTheirKeyWhenTheyAreIssuedAgain) {
  const KeyPair authority = makeAuthority("godwit", kNow, 3650).value();
  const KeyPair first = issue(authority, healthy(), kNow).value();
  const KeyPair second = reissue(authority, healthy(), first.keyPem, kNow).value();
  EXPECT_NE(first.certificatePem, second.certificatePem);
  EXPECT_EQ(first.keyPem, second.keyPem);
  EXPECT_EQ(EVP_PKEY_eq(X509_get0_pubkey(read(first).get()), X509_get0_pubkey(read(second).get())), 1);
}

}  // namespace
}  // namespace godwit::http
