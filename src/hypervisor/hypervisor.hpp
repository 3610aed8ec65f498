#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"

// What can be done to the domains of one node. Calls may block; they never wait
// for a guest, and never longer than a deadline of their own.
namespace godwit::hypervisor {

enum class Protocol { Iscsi, Nfs, Rbd };

struct Host {
  std::string name;       // or address
  std::int64_t port = 0;  // 0: the protocol's own

  bool operator==(const Host&) const = default;
};

// Who uses a disk. The password is told to the hypervisor alone, by keepSecret(), and is known by its name.
struct Login {
  std::string user;
  std::string secret;

  bool operator==(const Login&) const = default;
};

// Where on the network a disk is. QEMU itself goes there: the machine needs no client of its own.
struct Remote {
  Protocol protocol = Protocol::Iscsi;
  std::vector<Host> hosts = {};
  std::string initiator = {};  // iSCSI: the name to go there by; empty: QEMU's own
  std::optional<Login> login = {};

  bool operator==(const Remote&) const = default;
};

// Where a disk's bytes are.
struct DiskSource {
  enum class Type { File, Block, Network };
  Type type = Type::File;
  std::string path;  // Network: "IQN/LUN", a path on the NFS server, or "pool/image"
  std::string format = "raw";
  Remote remote = {};  // of Network

  bool operator==(const DiskSource&) const = default;

  // Whether both are the same bytes, however one gets there.
  bool sameBytes(const DiskSource& other) const {
    return path == other.path && remote.protocol == other.remote.protocol && remote.hosts == other.remote.hosts;
  }

  // Whether zeros that QEMU writes there take room. To a server of NFS it cannot say that nothing is somewhere.
  bool takesZerosLiterally() const {
    return type == Type::Network && remote.protocol == Protocol::Nfs && format == "raw";
  }
};

struct Disk {
  std::string target;  // "vda"
  std::string bus = "virtio";
  std::string serial = {};
  DiskSource source;
};

struct DomainSpec {
  std::string name;
  std::string uuid;
  std::string owner = {};  // opaque to the hypervisor, and carried along when the domain moves
  std::int64_t memoryBytes = 0;
  int vcpus = 1;
  std::vector<Disk> disks = {};  // in boot order
  std::string consoleFile = {};  // what the guest says on its first serial port is appended here; empty: nowhere
  bool paused = false;           // made to wait for resume()
};

enum class RunState {
  Running,
  Paused,      // stands still until resume()
  InTransit,   // stands still because of a migration: state arriving (target), or held or handed over (source)
  LeftBehind,  // stands still for good: the guest runs elsewhere, and fetches the rest of its memory from here
};

struct Mirror {
  DiskSource destination;
  bool ready = false;  // all was copied once, and what the guest writes since follows
  std::int64_t bytesDone = 0;
  std::int64_t bytesTotal = 0;

  // Of a guest that stands still, both copies are equal. Of one that runs they were so a moment ago.
  bool hasCaughtUp() const { return ready && bytesDone == bytesTotal; }
};

struct DiskState {
  std::string target;
  DiskSource source;
  std::optional<Mirror> mirror = {};
};

// How far one disk is that is copied along.
struct DiskProgress {
  std::string target;
  std::int64_t bytesDone = 0;
  std::int64_t bytesTotal = 0;

  bool operator==(const DiskProgress&) const = default;
};

struct MigrationProgress {
  std::int64_t memoryTotal = 0;
  std::int64_t memoryRemaining = 0;      // what was never sent, or was changed since
  std::int64_t memorySent = 0;           // may exceed the total: what the guest changes is sent again
  std::int64_t dirtyBytesPerSecond = 0;  // how fast the guest changes it
  std::int64_t iteration = 0;            // how often its memory has been gone through
  std::int64_t throttlePercent = 0;      // how much the guest is slowed down
  std::int64_t disksDone = 0;
  std::int64_t disksTotal = 0;
  std::vector<DiskProgress> disks = {};
};

struct DomainState {
  std::string name;
  std::string uuid;
  std::string owner;
  std::int64_t memoryBytes = 0;
  RunState state = RunState::Running;
  std::vector<DiskState> disks = {};
  std::optional<MigrationProgress> outgoing = {};  // set while a migration away from here is under way
};

// What limits a copy, and may be changed while it is under way.
struct Tuning {
  std::int64_t bandwidthBytesPerSecond = 0;  // 0: no limit
  std::int64_t maxDowntimeMs = 0;            // that the guest may stand still at the end; 0: as QEMU has it

  bool operator==(const Tuning&) const = default;
};

struct MigrationOrder {
  std::string domain;
  std::string targetUri;               // of the target's hypervisor, as the source reaches it
  std::string socketDirectory = {};    // both sides reach it; memory and disks travel over unix sockets in it
  std::string address = {};            // set: they travel there, to an address of the target's, instead
  bool encrypted = false;              // and nobody else can read or change them
  std::string targetConsoleFile = {};  // empty: as at the source
  // By target name: copied to here on the way; must exist, at the source's size.
  std::map<std::string, DiskSource> copyDisks = {};
  // Of those, the disks that are to get no zeros where zeros are, and whether nothing else is in them yet. Heeded where
  // they travel over sockets.
  std::map<std::string, bool> thinDisks = {};
  Tuning tuning = {};
  bool autoConverge = false;  // the guest is slowed down when its memory changes too fast
  // It waits for startPostCopy(), and then arrives Running: hardly anything is sent before. Not together with disks.
  bool postCopy = false;
};

// What became of the copy that was to be shut out.
enum class Fencing {
  Fenced,        // it is dead and cannot come back
  StillRunning,  // it had been given the guest back, and runs on unharmed
};

// How a domain that is no longer here came to its end, as far as anybody was told.
enum class Ending { Unknown, PoweredOff, Crashed };

// What guests can have for a processor here.
struct Processors {
  std::string vendor;                       // of the host's model
  std::string hostModel;                    // the named one that is nearest to all that can be had
  std::set<std::string> hostFeatures = {};  // what can be had beyond that model
  std::set<std::string> models = {};        // all named ones that can be had whole
  std::set<std::string> features = {};      // all that can be had
  bool inHardware = false;                  // the machine's own processor runs the guests

  bool operator==(const Processors&) const = default;
};

class Hypervisor {
 public:
  virtual ~Hypervisor() = default;

  // The same for as long as neither the machine nor its QEMU becomes another.
  virtual Result<Processors> processors() = 0;

  virtual Result<std::vector<DomainState>> list() = 0;
  // NotFound when there is no such domain here.
  virtual Result<DomainState> describe(const std::string& domain) = 0;

  // Only how it runs, in less time. NotFound when there is no such domain here; Gone when one has arrived and gone on
  // here that has ended since, until it is forgotten.
  virtual Result<RunState> runStateOf(const std::string& domain) = 0;
  // Forgets what was noted about the arrival of a domain; the domain itself goes on if it is there. Safe to repeat.
  virtual Result<> forgetArrival(const std::string& domain) = 0;

  // Tells the password that logins of that name use from now on. It is kept in the hypervisor's memory alone,
  // and in no document; it is gone when its daemon ends, and guests that run do not mind.
  virtual Result<> keepSecret(Protocol protocol, const std::string& name, const std::string& password) = 0;

  // AlreadyExists when a domain of that name is here.
  virtual Result<> start(const DomainSpec& spec) = 0;
  // Ends the guest at once. Succeeds when it is not here.
  virtual Result<> destroy(const std::string& domain) = 0;
  // Asks the guest to shut down, like a power button; it may take its time, or not listen. Safe to repeat.
  // Succeeds when it is not here.
  virtual Result<> shutdown(const std::string& domain) = 0;
  // Unknown unless this client was there to hear of it, and after the next start.
  virtual Ending endingOf(const std::string& domain) = 0;
  // Makes a domain stand still until resume(). Conflict while a migration has a hold on it.
  virtual Result<> pause(const std::string& domain) = 0;
  // Lets a domain run that stands still, or runs already. Conflict while a migration has a hold on it, or when it is
  // LeftBehind. A domain left
  // InTransit by a migration that is over runs too: whoever asks for that knows that no other copy has, or can.
  virtual Result<> resume(const std::string& domain) = 0;

  // Gives a domain one more disk, which never boots it. Conflict when it has another disk of that target, or is on its
  // way; succeeds when it has this one.
  virtual Result<> attachDisk(const std::string& domain, const Disk& disk) = 0;
  // Takes a disk away, once the guest has let go of it: describe() tells when. Safe to repeat. Conflict when
  // the disk is mirrored or the domain is on its way. Succeeds when there is none.
  virtual Result<> detachDisk(const std::string& domain, const std::string& disk) = 0;

  // Starts mirroring a disk. What the guest writes reaches the mirror later: until pivot() only the disk has it all.
  // No faster than that, until tune() says otherwise; 0: no limit. Where `through` is the socket of a server of the
  // destination's bytes that speaks NBD, they go by way of it until pivot(): for 30 seconds without it, too, so that
  // another one can take its place. When it cannot be reached, they go the straight way.
  // Invalid when the destination does not exist at the source's size, Conflict when the disk is already
  // mirrored or the domain is on its way.
  virtual Result<> beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination,
                             std::int64_t bytesPerSecond = 0, const std::string& through = {}) = 0;
  // Goes on with the mirror, once that has all. Conflict when it is not ready, NotFound when there is none.
  virtual Result<> pivot(const std::string& domain, const std::string& disk) = 0;
  // Ends the mirror and stays on the source. Succeeds when there is none.
  virtual Result<> cancelCopy(const std::string& domain, const std::string& disk) = 0;

  // Bytes of a disk as its guest sees them. NotFound when the domain is not here, or has no such disk.
  virtual Result<std::int64_t> diskSize(const std::string& domain, const std::string& disk) = 0;
  // Makes a disk larger under its guest; safe to repeat. A file grows with it, a device or a LUN must have grown
  // before. Invalid when the disk is larger already, Conflict when it is mirrored or the domain is on its way.
  virtual Result<> resize(const std::string& domain, const std::string& disk, std::int64_t bytes) = 0;

  // The processor that a domain sees, in words that lackingFeatures() of another node's hypervisor understands.
  virtual Result<std::string> processorOf(const std::string& domain) = 0;
  // The features of such a processor that no guest could have here; none when a guest that has it could move here.
  virtual Result<std::vector<std::string>> lackingFeatures(const std::string& processor) = 0;

  // Starts moving a running domain, and returns. It goes on at the target as soon as all of it is there: before that,
  // this copy is shut out, so that it can run again only by resume(), and after that it is ended. The migration ends
  // with its caller, at whatever point, unless it was ordered to go by post-copy. `ended` is called when it is over,
  // from any thread. The truth is what runStateOf() says on both sides: `ended` may never come, and its error proves
  // nothing. Conflict when the domain does not run, is already on its way, or has a disk that is mirrored.
  virtual Result<> beginMigration(const MigrationOrder& order, std::function<void(Result<>)> ended) = 0;
  // Changes what limits the migration under way, or the mirrors of the domain's disks. Disks that a migration copies
  // along keep the bandwidth they began with. Conflict when there is neither.
  virtual Result<> tune(const std::string& domain, const Tuning& tuning) = 0;
  // Makes a guest on its way stand still, so that it stops changing what is copied. It goes on at the target, or here
  // when the migration ends otherwise. Conflict when there is none; safe to repeat.
  virtual Result<> hold(const std::string& domain) = 0;
  // Lets the guest of a migration that was ordered so go on at the target now; its memory follows. From then on there
  // is no way back: the source's copy is LeftBehind until it is gone, and if either dies, so does the guest. Conflict
  // when there is none, or its memory is not on its way yet.
  virtual Result<> startPostCopy(const std::string& domain) = 0;
  // Asks for an end of the migration under way. Succeeds when there is none.
  virtual Result<> cancelMigration(const std::string& domain) = 0;
  // Makes sure that a source copy which has handed its state over can never run again. To be called once
  // the guest has gone on at the target, never before. Safe to repeat.
  virtual Result<Fencing> fence(const std::string& domain) = 0;
  // Whether a migration whose caller has died has left the copy here shut out. As long as it stays so, every other
  // question about this host's domains may go unanswered, but for fence() and resume().
  virtual bool isShutOut(const std::string& domain) = 0;

  // Calls `changed` with the domain's name whenever something about it may have changed, one call at a time,
  // from any thread. It must return soon, and an event may be lost: look again now and then.
  virtual void whenChanged(std::function<void(const std::string&)> changed) = 0;
};

}  // namespace godwit::hypervisor
