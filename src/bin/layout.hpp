#pragma once

#include <filesystem>
#include <string>

#include "hypervisor/libvirt/private_daemon.hpp"

namespace godwit::bin {

// Where a Godwit on one machine keeps its things: all of it below one directory.
struct Layout {
  std::filesystem::path root;  // absolute

  std::filesystem::path kubeconfig() const { return root / "kubeconfig"; }
  std::filesystem::path server() const { return root / "server"; }
  std::filesystem::path port() const { return root / "port"; }
  std::filesystem::path targetPort() const { return root / "target-port"; }
  std::filesystem::path lock() const { return root / "run" / "lock"; }
  std::filesystem::path pidFile(const std::string& name) const { return root / "run" / (name + ".pid"); }
  std::filesystem::path log(const std::string& name) const { return root / "log" / (name + ".log"); }
  std::filesystem::path sharedVolumes() const { return root / "shared"; }
  std::filesystem::path luns() const { return root / "luns"; }
  std::filesystem::path lunControl() const { return sockets() / "tgt"; }
  std::filesystem::path sockets() const { return root / "sock"; }
  std::filesystem::path node(const std::string& name) const { return root / "nodes" / name; }
  std::filesystem::path volumes(const std::string& name) const { return node(name) / "volumes"; }

  hypervisor::libvirt::House house(const std::string& nodeName) const;
};

std::string nodeName(int number);

}  // namespace godwit::bin
