#include "client/kubeconfig.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/scratch_directory_test.hpp"

namespace godwit::client {
namespace {

const http::ClientConfig kAdmin{.host = "127.0.0.1",
                                .port = 6443,
                                .caCertificate = "-----BEGIN CERTIFICATE-----\nca\n",
                                .clientCertificate = "certificate\n",
                                .clientKey = "key\n",
                                .bearerToken = "secret: token"};

class KubeconfigFile : public testing::Test {
 protected:
  Result<http::ClientConfig> load(const std::string& content) {
    EXPECT_TRUE(replaceFile(directory.file("kubeconfig"), content));
    return loadKubeconfig(directory.file("kubeconfig"));
  }

  // A kubeconfig as kubectl writes it, with one thing bent.
  std::string bent(const std::string& from, const std::string& to) const {
    std::string text = R"(apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: other
  cluster: {server: "https://other:1"}
- name: home
  cluster:
    certificate-authority: ca.crt
    server: https://api.example
users:
- name: me
  user:
    tokenFile: token
contexts:
- name: at-home
  context: {cluster: home, user: me, namespace: default}
current-context: at-home
)";
    const auto found = text.find(from);
    EXPECT_NE(found, text.npos);
    return text.replace(found, from.size(), to);
  }

  void SetUp() override {
    ASSERT_TRUE(replaceFile(directory.file("ca.crt"), "authority"));
    ASSERT_TRUE(replaceFile(directory.file("token"), "secret\n"));
  }

  const ScratchDirectory directory;
};

TEST_F(KubeconfigFile, IsReadAsItWasWritten) {
  const auto config = load(writeKubeconfig(kAdmin, "godwit")).value();
  EXPECT_EQ(config.host, kAdmin.host);
  EXPECT_EQ(config.port, kAdmin.port);
  EXPECT_EQ(config.caCertificate, kAdmin.caCertificate);
  EXPECT_EQ(config.clientCertificate, kAdmin.clientCertificate);
  EXPECT_EQ(config.clientKey, kAdmin.clientKey);
  EXPECT_EQ(config.bearerToken, kAdmin.bearerToken);
}

TEST_F(KubeconfigFile, KeepsAnIpv6Address) {
  http::ClientConfig config = kAdmin;
  config.host = "::1";
  EXPECT_EQ(load(writeKubeconfig(config, "godwit"))->host, "::1");
}

TEST_F(KubeconfigFile, UsesTheCurrentContextAndTheFilesBesideIt) {
  const auto config = load(bent("", "")).value();
  EXPECT_EQ(config.host, "api.example");
  EXPECT_EQ(config.port, 443);
  EXPECT_EQ(config.caCertificate, "authority");
  EXPECT_EQ(config.bearerToken, "secret");
}

TEST_F(KubeconfigFile, IsRefusedWhenItAsksForWhatIsNotDone) {
  const std::pair<const char*, const char*> bends[] = {
      {"https://api.example", "http://api.example"},
      {"https://api.example", "https://api.example/cluster"},
      {"https://api.example", "https://api.example:99999"},
      {"current-context: at-home", "current-context: elsewhere"},
      {"user: me", "user: you"},
      {"certificate-authority: ca.crt", "insecure-skip-tls-verify: true"},
      {"certificate-authority: ca.crt", "certificate-authority-data: '%%%'"},
      {"tokenFile: token", "exec: {command: login}"},
  };
  for (const auto& [from, to] : bends) {
    const auto config = load(bent(from, to));
    ASSERT_FALSE(config) << to;
    EXPECT_EQ(config.error().code, Code::Invalid) << to;
  }
}

TEST_F(KubeconfigFile, IsNotFoundWhereThereIsNone) {
  EXPECT_EQ(loadKubeconfig(directory.file("nothing")).error().code, Code::NotFound);
}

}  // namespace
}  // namespace godwit::client
