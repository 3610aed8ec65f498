#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "client/client.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/node.hpp"

namespace godwit::node {

// What a node tells the others about itself.
struct NodeProfile {
  std::string name;
  std::string hypervisorUri;      // as its machine reaches it
  std::string transportUri = {};  // as other machines do; empty: they cannot
  std::string consoleDirectory;
  std::string containerDirectory = {};  // disks out of container images
  std::string socketDirectory;          // empty: it shares none with its neighbours
  std::string volumeDirectory;
  std::vector<std::string> addresses;  // at the first it answers by itself, for the logs of its pods
  std::string bootId = {};
  std::int64_t port = 0;
  std::string servingCertificate;  // what it proves to be itself with, in PEM
  std::int64_t memoryBytes = 0;
  std::int64_t cpus = 0;
  std::optional<hypervisor::Processors> processors = {};  // nothing: not known, and what was said of them stays
};

// The Node object as its agent wants it; labels, annotations, taints and conditions of others stay.
kinds::Node withProfile(kinds::Node node, const NodeProfile& profile, Timestamp now);

// Makes the node known to the cluster, and keeps its Lease so that the cluster knows it alive.
class Registration {
 public:
  Registration(const client::Client& client, const Clock& clock, NodeProfile profile)
      : client_(client), clock_(clock), profile_(std::move(profile)) {}

  // Brings Node and Lease up to date; safe to repeat.
  Result<> renew() const;
  // Renews in time, and again soon after a failure, until told to stop.
  void run(std::stop_token stop) const;

 private:
  Result<> renewNode() const;
  Result<> renewLease() const;

  const client::Client& client_;
  const Clock& clock_;
  const NodeProfile profile_;
};

}  // namespace godwit::node
