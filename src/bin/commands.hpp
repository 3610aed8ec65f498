#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "bin/connection.hpp"
#include "bin/host_certificate.hpp"

// What each subcommand takes, and the function that is the subcommand. All return the exit code of the process.
namespace godwit::bin {

// The exit code of a command that was called wrongly.
inline constexpr int kUsage = 2;

// How long a node may be silent, as in Kubernetes.
inline constexpr int kNodeGraceSeconds = 40;

struct UpOptions {
  std::string program;  // this one: the other parts are started from it
  std::string directory;
  int nodes = 3;
  unsigned short port = 0;
  int nodeGrace = kNodeGraceSeconds;
  std::vector<std::string> networks = {};  // on which each node has an address of its own
  std::int64_t certificateSeconds = kHostCertificateLife.count();
  bool detach = false;
};
int runUpCommand(const UpOptions& options);

int runDownCommand(const std::string& directory);

struct StatusOptions {
  Cluster cluster;
  bool json = false;
};
int runStatusCommand(const StatusOptions& options);

struct DrainOptions {
  Cluster cluster;
  std::string node;
  bool dryRun = false;   // say who would leave, and how
  bool partial = false;  // though some cannot
  bool cancel = false;   // take a drain back
  int timeout = 3600;    // seconds
  bool json = false;
};
// 2 when there is no such node.
int runDrainCommand(const DrainOptions& options);

struct DrainClassOptions {
  Cluster cluster;
  std::string from;
  std::string to;
  bool deleteSources = false;
  bool unattached = false;
  bool dryRun = false;  // say which disks would move
  int timeout = 3600;   // seconds
  bool json = false;
};
// 1 when some could not be moved, 2 when there is no such class.
int runDrainClassCommand(const DrainClassOptions& options);

struct MigrateOptions {
  Cluster cluster;
  std::string name;
  std::string nameSpace = "default";
  std::string node;       // where it is to go; empty: anywhere
  std::string bandwidth;  // bytes per second, as a quantity; empty: as cluster and policy say
  bool wait = true;
  int timeout = 3600;  // seconds
  bool json = false;
};
// 2 when there is no such guest.
int runMigrateCommand(const MigrateOptions& options);

struct RollbackOptions {
  Cluster cluster;
  std::string name;  // of the volume migration, or of its VM
  std::string nameSpace = "default";
  int timeout = 3600;  // seconds
  bool json = false;
};
// 1 when the guest stays on its new disks, 2 when nothing of that name can be rolled back.
int runRollbackCommand(const RollbackOptions& options);

int runCrdsCommand();

struct ServerOptions {
  std::string directory;
  std::string kubeconfig;  // written at start
  std::string address = "127.0.0.1";
  unsigned short port = 0;
};
int runServerCommand(const ServerOptions& options);

struct MoverOptions {
  std::string directory;
  std::string source;  // where its guest will be, for one without a directory, which waits for a move
};

struct ControllerOptions {
  std::string kubeconfig;
  int nodeGrace = kNodeGraceSeconds;
};
int runControllerCommand(const ControllerOptions& options);

struct NodeOptions {
  std::string kubeconfig;
  std::string name;
  std::string libvirtUri;  // as this node and its neighbours on the machine reach its daemon
  std::string directory;   // what the agent keeps: consoles, moves
  std::string volumeDirectory;
  std::string socketDirectory = {};                    // shared with the neighbours on the machine
  std::vector<std::string> addresses = {"127.0.0.1"};  // on the first it answers the API server
  unsigned short port = 0;
  std::string certificates = {};         // what it proves itself to other machines with; empty: nothing
  unsigned short transportPort = 16514;  // on which its daemon listens to them
  std::string program;                   // this one: movers are started from it
};
// The node agent. Ends on SIGTERM or SIGINT, and leaves guests and movers as they are.
int runNodeCommand(const NodeOptions& options);

struct NodePowerOptions {
  std::string directory;  // of an `up` on this machine
  std::string name;
  bool json = false;
};
// Power loss: everything on the node ends at once, and it stays off. 2 when there is no such node.
int runNodeKillCommand(const NodePowerOptions& options);
// Returns when the node is ready; at once when it is on.
int runNodeStartCommand(const NodePowerOptions& options);

struct NodeCertificateOptions {
  std::string directory;  // of an `up` on this machine
  std::string name;
  std::vector<std::string> addresses;
  std::string output;  // a directory
};
// For a node on another machine, to be carried there; again before it expires.
int runNodeCertificateCommand(const NodeCertificateOptions& options);

struct NodeInitOptions {
  std::string program;
  std::string directory;
  std::string name;
  std::vector<std::string> addresses = {};  // on networks of its own, as "10.77.0.2/24"
};
int runNodeInitCommand(const NodeInitOptions& options);

// One mover, from the orders in its directory to the verdict: 0 for moved, 1 for not moved, 3 for lost, 2 when
// it could not begin. Returns 0 at once when another process is at it.
int runMoverCommand(const MoverOptions& options);

// One importer, from the orders in its directory to the verdict: 0 when the volume is filled, 1 when it is not, 2 when
// it could not begin. Returns 0 at once when another process is at it.
int runImporterCommand(const std::string& directory);

// 0, or 1 after saying on stderr what went wrong.
int exitCode(const Result<>& outcome);

}  // namespace godwit::bin
