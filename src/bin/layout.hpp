#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hypervisor/libvirt/private_daemon.hpp"

namespace godwit::bin {

// Where a Godwit on one machine keeps its things: all of it below one directory.
struct Layout {
  std::filesystem::path root;  // absolute

  std::filesystem::path kubeconfig() const { return root / "kubeconfig"; }
  std::filesystem::path server() const { return root / "server"; }
  std::filesystem::path port() const { return root / "port"; }
  std::filesystem::path targetPort() const { return root / "target-port"; }
  std::filesystem::path networks() const { return root / "networks"; }
  std::filesystem::path run() const { return root / "run"; }
  std::filesystem::path lock() const { return run() / "lock"; }
  std::filesystem::path pidFile(const std::string& name) const { return run() / (name + ".pid"); }
  // Is there while somebody wants the node to be started.
  std::filesystem::path startRequest(const std::string& name) const { return run() / (name + ".start"); }
  std::filesystem::path log(const std::string& name) const { return root / "log" / (name + ".log"); }
  std::filesystem::path sharedVolumes() const { return root / "shared"; }
  std::filesystem::path luns() const { return root / "luns"; }
  std::filesystem::path lunControl() const { return sockets() / "tgt"; }
  std::filesystem::path sockets() const { return root / "sock"; }
  std::filesystem::path nodes() const { return root / "nodes"; }
  std::filesystem::path node(const std::string& name) const { return nodes() / name; }
  std::filesystem::path certificates(const std::string& name) const { return node(name) / "tls"; }
  std::filesystem::path volumes(const std::string& name) const { return node(name) / "volumes"; }

  // Without an address only this machine reaches it.
  hypervisor::libvirt::House house(const std::string& nodeName, const std::string& address = "") const;
};

std::string nodeName(int number);
std::vector<std::string> nodeNames(int count);

}  // namespace godwit::bin
