#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

// A libvirt daemon of a node's own, of which one machine can have many. root's daemon has its paths compiled in, so
// each lives in a mount namespace where they lead into the node's directory; an ordinary user's is told where to go.
namespace godwit::hypervisor::libvirt {

// Where a daemon listens for those of other machines. Only whom the authority vouches for as a node is heard.
struct Doorstep {
  std::string address;
  unsigned short port = 16514;
  std::string certificates;  // a directory like /etc/pki, with what it proves itself with; in QEMU's names, too
};

struct House {
  std::string directory;  // absolute; all the daemon's files are below it
  std::string hostUuid;   // no two daemons that migrate to each other may share it
  // Where another daemon of this machine keeps its cache (.../cache/libvirt); empty, or not there yet, is fine.
  // Finding out what QEMU can do takes seconds, and every daemon would find the same.
  std::string warmCache = {};
  bool rootless = false;                  // an ordinary user's
  std::optional<Doorstep> doorstep = {};  // nothing: only its machine reaches it
  std::string driverDirectory = "/usr/lib/x86_64-linux-gnu/libvirt/connection-driver";
};

// The daemon's socket and cache, as seen from outside its namespace.
std::string socketPath(const House& house);
std::string cacheDirectory(const House& house);
// What it notes of its guests; root's is kept in memory, and seen from inside only.
std::string pidDirectory(const House& house);
// How to reach the daemon from anywhere on this machine.
std::string uri(const House& house);
// How other machines do; whoever goes there adds where its own certificates are.
std::string uri(const Doorstep& doorstep);

// Makes the directories and configuration; safe to repeat. Invalid when the directory is not absolute,
// or too long for the sockets in it.
Result<> prepareHouse(const House& house);

// Makes the paths of root's libvirt lead into the house. The caller is process 1 of new mount and PID
// namespaces. What an earlier life of the node has left in `run` is removed, as a boot would.
Result<> enterHouse(const House& house);

// Makes the daemon take the certificates that are there now; who is connected stays so. To be called from outside.
Result<> rereadCertificates(const House& house);

// How the daemon is started, inside the house.
std::vector<std::string> daemonCommand(const House& house);
std::vector<std::string> daemonEnvironment(const House& house);

}  // namespace godwit::hypervisor::libvirt
