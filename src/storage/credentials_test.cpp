#include "storage/credentials.hpp"

#include <gtest/gtest.h>

#include "base/base64.hpp"

namespace godwit::storage {
namespace {

class CredentialsOfAVolume : public testing::Test {
 protected:
  CredentialsOfAVolume() {
    volume.metadata.name = "pv001";
    volume.spec.claimRef = kinds::ObjectReference{"v1", "PersistentVolumeClaim", "default", "disk", ""};
    volume.spec.iscsi = kinds::IscsiVolume{"host", "iqn.x", 0, "", true, kinds::SecretReference{"chap", ""}};
    secret.metadata.nameSpace = "default";
    secret.metadata.name = "chap";
    secret.data["node.session.auth.username"] = encodeBase64("godwit");
    secret.data["node.session.auth.password"] = encodeBase64("bar-tailed");
  }

  kinds::PersistentVolume volume;
  kinds::Secret secret;
};

TEST_F(CredentialsOfAVolume, AreInTheClaimsNamespaceIfNoneIsSaid) {
  EXPECT_EQ(secretOf(volume).value(), (object::Key{"default", "chap"}));
  volume.spec.iscsi->secretRef->nameSpace = "storage";
  EXPECT_EQ(secretOf(volume).value(), (object::Key{"storage", "chap"}));
}

TEST_F(CredentialsOfAVolume, AreNoneWhereNobodyLogsIn) {
  volume.spec.iscsi->chapAuthSession = false;
  EXPECT_EQ(secretOf(volume).value(), std::nullopt);
  EXPECT_EQ(secretOf(kinds::PersistentVolume{}).value(), std::nullopt);
}

TEST_F(CredentialsOfAVolume, MustBeNamedWhereSomebodyDoes) {
  volume.spec.iscsi->secretRef.reset();
  EXPECT_EQ(secretOf(volume).error().message, "volume pv001 is to be logged in to, and secretRef names no Secret");
}

TEST_F(CredentialsOfAVolume, AreAUserAndAPassword) {
  const auto found = credentialsIn(secret, volume).value();
  EXPECT_EQ(found.login, (hypervisor::Login{"godwit", "default/chap"}));
  EXPECT_EQ(found.password, "bar-tailed");
}

TEST_F(CredentialsOfAVolume, AreMissedByName) {
  secret.data.erase("node.session.auth.password");
  EXPECT_EQ(credentialsIn(secret, volume).error().message,
            "volume pv001 logs in by Secret default/chap, which has no node.session.auth.password");
  secret.data["node.session.auth.password"] = "bar-tailed!";
  EXPECT_EQ(credentialsIn(secret, volume).error().message,
            "volume pv001 logs in by Secret default/chap, which has no base64 in node.session.auth.password");
}

TEST_F(CredentialsOfAVolume, AreTheBytesOfACephKey) {
  volume.spec.iscsi.reset();
  volume.spec.rbd = kinds::RbdVolume{{"mon"}, "vms", "root", "kim", kinds::SecretReference{"chap", ""}};
  secret.data["key"] = encodeBase64(encodeBase64("bytes"));
  const auto found = credentialsIn(secret, volume).value();
  EXPECT_EQ(found.login, (hypervisor::Login{"kim", "default/chap"}));
  EXPECT_EQ(found.password, "bytes");
}

}  // namespace
}  // namespace godwit::storage
