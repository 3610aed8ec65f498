#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/log.hpp"
#include "bin/commands.hpp"

// One program, many parts: each subcommand fills in its options and runs one function.
namespace godwit::bin {
namespace {

constexpr const char* kVersion = "0.1.0";

class CommandLine {
 public:
  explicit CommandLine(std::string program) : program_(std::move(program)) {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", fmt::format("godwit {}", kVersion), "Print the version");
    app_.add_option("--log-level", logLevel_, "debug, info, warn or error")->capture_default_str();
    addUp();
    addDown();
    addStatus();
    addMigrate();
    addDrain();
    addDrainClass();
    addRollback();
    addCrds();
    addServer();
    addController();
    addNode();
    addNodeInit();
    addMover();
    addImporter();
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::RequiredError& error) {
      // The parser misses a command before it complains of a word that is none.
      const auto words = app_.remaining();
      if (app_.get_subcommands().empty() && !words.empty())
        app_.exit(CLI::ExtrasError(words));
      else
        app_.exit(error);
      return kUsage;
    } catch (const CLI::ParseError& error) {
      return app_.exit(error) == 0 ? 0 : kUsage;
    }
    if (const auto set = log::setLevel(logLevel_); !set) {
      exitCode(set);
      return kUsage;
    }
    return chosen_();
  }

 private:
  CLI::App* add(const char* name, const char* help, std::function<int()> act) {
    CLI::App* command = app_.add_subcommand(name, help);
    command->callback([this, act = std::move(act)] { chosen_ = act; });
    return command;
  }

  void addUp() {
    auto* up = add("up", "Run a whole Godwit on this machine", [this] { return runUpCommand(up_); });
    up_.program = program_;
    up->add_option("--dir", up_.directory, "Where all its things are")->required();
    up->add_option("--nodes", up_.nodes, "How many nodes")->capture_default_str()->check(CLI::Range(1, 16));
    up->add_option("--port", up_.port, "Port of the API; 0 takes a free one and keeps it");
    addNodeGrace(up, up_.nodeGrace);
    up->add_option("--network", up_.networks,
                   "A network, as 10.77.0.0/24, on which every node has an address of its own; may be said again");
    up->add_option("--certificate-seconds", up_.certificateSeconds,
                   "How long the certificates are good that such nodes have; they are renewed in time")
        ->capture_default_str()
        ->check(CLI::Range(30, 315360000));
    up->add_flag("--detach", up_.detach, "Return when it is ready");
  }

  void addDown() {
    auto* down = add("down", "End a Godwit on this machine, guests included", [this] { return runDownCommand(down_); });
    down->add_option("--dir", down_, "What `up` was given")->required();
  }

  void addStatus() {
    auto* status = add("status", "Show nodes, VMs and moves", [this] { return runStatusCommand(status_); });
    addCluster(status, status_.cluster);
    addOutput(status, status_.json, "table");
  }

  void addMigrate() {
    auto* migrate = add("migrate", "Move a running VM to another node", [this] { return runMigrateCommand(migrate_); });
    migrate->add_option("vm", migrate_.name, "Name of the VM")->required();
    migrate->add_option("-n,--namespace", migrate_.nameSpace, "Its namespace")->capture_default_str();
    addCluster(migrate, migrate_.cluster);
    migrate->add_option("--node", migrate_.node, "Where it is to go; the scheduler chooses when not given");
    migrate->add_option("--bandwidth", migrate_.bandwidth, "Bytes per second at most, like 100Mi");
    migrate->add_flag("!--no-wait", migrate_.wait, "Return when it has begun");
    addTimeout(migrate, migrate_.timeout);
    addOutput(migrate, migrate_.json, "text");
  }

  static void addTimeout(CLI::App* command, int& seconds) {
    command->add_option("--timeout", seconds, "Seconds until it is no longer waited for")
        ->capture_default_str()
        ->check(CLI::Range(1, 604800));
  }

  void addDrain() {
    auto* drain = add("drain", "Move everything off a node", [this] { return runDrainCommand(drain_); });
    drain->add_option("node", drain_.node, "Name of the node")->required();
    addCluster(drain, drain_.cluster);
    drain->add_flag("--dry-run", drain_.dryRun, "Say who would leave, and how; change nothing");
    drain->add_flag("--partial", drain_.partial, "Even if some guests cannot leave");
    drain->add_flag("--cancel", drain_.cancel, "Take a drain back: guests may stay, and come");
    addTimeout(drain, drain_.timeout);
    addOutput(drain, drain_.json, "table");
  }

  void addDrainClass() {
    auto* drain = add("drain-class", "Move every disk of a VM off a storage class",
                      [this] { return runDrainClassCommand(drainClass_); });
    drain->add_option("class", drainClass_.from, "Name of the storage class")->required();
    drain->add_option("--to", drainClass_.to, "The class where they are to be")->required();
    addCluster(drain, drainClass_.cluster);
    drain->add_flag("--dry-run", drainClass_.dryRun, "Say which disks would move; change nothing");
    drain->add_flag("--delete-sources", drainClass_.deleteSources, "Delete each old claim once its disk has moved");
    drain->add_flag("--unattached", drainClass_.unattached, "Move claims that no VM names, too");
    addTimeout(drain, drainClass_.timeout);
    addOutput(drain, drainClass_.json, "table");
  }

  void addRollback() {
    auto* rollback = add("rollback", "Go back to the disks that a VM had before, while they are kept in sync",
                         [this] { return runRollbackCommand(rollback_); });
    rollback->add_option("name", rollback_.name, "Name of the VM, or of its volume migration")->required();
    rollback->add_option("-n,--namespace", rollback_.nameSpace, "Its namespace")->capture_default_str();
    addCluster(rollback, rollback_.cluster);
    addTimeout(rollback, rollback_.timeout);
    addOutput(rollback, rollback_.json, "text");
  }

  static void addCluster(CLI::App* command, Cluster& cluster) {
    auto* directory = command->add_option("--dir", cluster.directory, "What `up` was given");
    command->add_option("--kubeconfig", cluster.kubeconfig, "How to reach the API; kubectl's when not given")
        ->excludes(directory);
  }

  // How to say what was found or done: for scripts, or in the way that people read it.
  static void addOutput(CLI::App* command, bool& json, const std::string& otherwise) {
    command
        ->add_option_function<std::string>(
            "-o,--output", [&json](const std::string& form) { json = form == "json"; }, "json, or " + otherwise)
        ->check(CLI::IsMember({std::string("json"), otherwise}));
  }

  void addCrds() {
    add("crds", "Print the kinds for a real Kubernetes", [] { return runCrdsCommand(); });
  }

  void addServer() {
    auto* server = add("server", "Serve the Kubernetes API", [this] { return runServerCommand(server_); });
    server->add_option("--directory", server_.directory, "Where objects and certificates are kept")->required();
    server->add_option("--kubeconfig", server_.kubeconfig, "Written at start")->required();
    server->add_option("--address", server_.address, "Where it is reached")->capture_default_str();
    server->add_option("--port", server_.port, "On that address; 0 takes a free one");
  }

  void addController() {
    auto* controller = add("controller", "Run the controllers and the scheduler",
                           [this] { return runControllerCommand(controller_); });
    controller->add_option("--kubeconfig", controller_.kubeconfig, "How to reach the API")->required();
    addNodeGrace(controller, controller_.nodeGrace);
  }

  // A node renews its lease every ten seconds; whoever waits for less calls every node silent.
  static void addNodeGrace(CLI::App* command, int& seconds) {
    command->add_option("--node-grace", seconds, "Seconds of silence until a node counts as unreachable")
        ->capture_default_str()
        ->check(CLI::Range(15, 3600));
  }

  void addNode() {
    auto* node = app_.add_subcommand("node", "Be a node: run the VMs that are bound to it; or turn one off and on");
    node_.program = program_;
    const std::vector<CLI::Option*> needed = {
        node->add_option("--kubeconfig", node_.kubeconfig, "How to reach the API"),
        node->add_option("--name", node_.name, "Name of the node"),
        node->add_option("--libvirt", node_.libvirtUri, "Its libvirt, as it is reached on its machine"),
        node->add_option("--directory", node_.directory, "Where consoles and moves are kept"),
        node->add_option("--volumes", node_.volumeDirectory, "Where volumes of the node are made")};
    node->add_option("--sockets", node_.socketDirectory, "A directory that its neighbours on the machine reach");
    node->add_option("--address", node_.addresses,
                     "Where the API server reaches it, for the logs of its pods; further ones are for migrations")
        ->capture_default_str();
    node->add_option("--port", node_.port, "On the first address; 0 takes a free one");
    node->add_option("--certificates", node_.certificates,
                     "A directory with what it proves itself with, if other machines are to reach its libvirt");
    node->add_option("--transport-port", node_.transportPort, "Where its libvirt listens to them, by TLS")
        ->capture_default_str();
    addNodeCertificate(node);
    addNodePower(node, "kill", "Power loss: everything on a node of this machine ends at once", runNodeKillCommand);
    addNodePower(node, "start", "Turn a node of this machine on again", runNodeStartCommand);
    // A verb of its own needs none of what it takes to be a node.
    node->callback([this, node, needed] {
      if (!node->get_subcommands().empty()) return;
      for (const CLI::Option* option : needed)
        if (option->count() == 0) throw CLI::RequiredError(option->get_name());
      chosen_ = [this] { return runNodeCommand(node_); };
    });
  }

  void addNodeCertificate(CLI::App* node) {
    auto* command = node->add_subcommand("certificate", "Make what a node on another machine proves itself with");
    command->add_option("name", nodeCertificate_.name, "Name of the node")->required();
    command->add_option("--dir", nodeCertificate_.directory, "What `up` was given")->required();
    command->add_option("--address", nodeCertificate_.addresses, "Where it is reached; may be said again")->required();
    command->add_option("--out", nodeCertificate_.output, "The directory to be carried there")->required();
    command->callback([this] { chosen_ = [this] { return runNodeCertificateCommand(nodeCertificate_); }; });
  }

  void addNodePower(CLI::App* node, const char* verb, const char* help, int (*act)(const NodePowerOptions&)) {
    auto* command = node->add_subcommand(verb, help);
    command->add_option("name", nodePower_.name, "Name of the node")->required();
    command->add_option("--dir", nodePower_.directory, "What `up` was given")->required();
    addOutput(command, nodePower_.json, "text");
    command->callback([this, act] { chosen_ = [this, act] { return act(nodePower_); }; });
  }

  void addNodeInit() {
    auto* init =
        add("node-init", "Process 1 of a node on this machine", [this] { return runNodeInitCommand(nodeInit_); });
    init->group("");
    nodeInit_.program = program_;
    init->add_option("--directory", nodeInit_.directory, "What `up` was given")->required();
    init->add_option("--name", nodeInit_.name, "Name of the node")->required();
    init->add_option("--address", nodeInit_.addresses, "Its own, with the length of its network");
  }

  void addMover() {
    auto* mover = add("mover", "Make one move", [this] { return runMoverCommand(mover_); });
    mover->group("");
    mover->add_option("--directory", mover_.directory, "Where its orders are; else it waits to be told");
    mover->add_option("--source", mover_.source, "The hypervisor where a guest will be, for one that waits");
  }

  void addImporter() {
    auto* importer = add("importer", "Fill one volume", [this] { return runImporterCommand(importer_); });
    importer->group("");
    importer->add_option("--directory", importer_, "Where its orders are")->required();
  }

  const std::string program_;
  CLI::App app_{"Godwit moves running virtual machines and their disks without stopping them", "godwit"};
  std::string logLevel_ = "info";
  std::function<int()> chosen_;
  UpOptions up_;
  std::string down_;
  StatusOptions status_;
  MigrateOptions migrate_;
  DrainOptions drain_;
  DrainClassOptions drainClass_;
  RollbackOptions rollback_;
  ServerOptions server_;
  ControllerOptions controller_;
  NodeOptions node_;
  NodePowerOptions nodePower_;
  NodeCertificateOptions nodeCertificate_;
  NodeInitOptions nodeInit_;
  MoverOptions mover_;
  std::string importer_;
};

}  // namespace
}  // namespace godwit::bin

int main(int argc, char** argv) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return godwit::bin::CommandLine(error ? argv[0] : program.string()).run(argc, argv);
}
