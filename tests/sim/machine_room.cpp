#include "sim/machine_room.hpp"

#include "storage/disks.hpp"

namespace godwit::sim {
namespace {

std::string hostAt(const std::string& uri) { return uri.substr(SimulatedFabric::uriOf("").size()); }

}  // namespace

std::string SimulatedImages::ownerOf(const std::string& path) const {
  return path.starts_with(kSharedDirectory) ? "" : host_;
}

Result<> SimulatedImages::ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const auto image = TRY(storage::locate(volume));
  const auto there = fabric_.inspectImage(host_, image.path);
  if (there && there->size < bytes) return fail(Code::Invalid, image.path + " is too small");
  if (!there && full) return fail(Code::Internal, "no space left on device");
  if (!there) fabric_.createImage(ownerOf(image.path), image.path, bytes);
  made_.insert(image.path);
  return {};
}

Result<> SimulatedImages::grow(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  if (full) return fail(Code::Internal, "no space left on device");
  fabric_.growImage(host_, TRY(storage::locate(volume)).path, bytes);
  return {};
}

Result<> SimulatedImages::shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const auto image = TRY(storage::locate(volume));
  const auto there = fabric_.inspectImage(host_, image.path);
  if (!there || there->size <= bytes) return {};
  fabric_.removeImage(ownerOf(image.path), image.path);
  fabric_.createImage(ownerOf(image.path), image.path, bytes);
  return {};
}

Result<> SimulatedImages::remove(const kinds::PersistentVolume& volume) {
  const auto image = TRY(storage::locate(volume));
  fabric_.removeImage(ownerOf(image.path), image.path);
  made_.erase(image.path);
  return {};
}

Result<std::unique_ptr<MoverProcess>> MoverProcess::start(SimulatedFabric& fabric, const mover::Orders& orders,
                                                          mover::Journal& papers, const Clock& clock,
                                                          const DressTarget& dress) {
  std::unique_ptr<MoverProcess> process(new MoverProcess(papers));
  const auto guard = [self = process.get()] { return self->spend(); };
  process->source_ = std::make_unique<GuardedHypervisor>(TRY(fabric.connect(orders.sourceUri)), guard);
  const auto targetGuard = [&fabric, guard, here = hostAt(orders.sourceUri), there = hostAt(orders.targetUri)] {
    return fabric.linked(here, there) ? guard() : Result<>(fail(Code::Unavailable, "the target is out of reach"));
  };
  process->target_ = std::make_unique<GuardedHypervisor>(TRY(fabric.connect(orders.targetUri)), targetGuard);
  if (dress) process->target_ = dress(std::move(process->target_));
  hypervisor::Hypervisor& target = orders.inPlace ? *process->source_ : *process->target_;
  const auto compare = [&fabric, host = hostAt(orders.sourceUri)](const auto& left, const auto& right,
                                                                  const storage::Stretch& stretch) {
    return fabric.firstDifference(host, left.path, right.path, stretch.from, stretch.from + stretch.length);
  };
  process->mover_ = std::make_unique<mover::Mover>(
      orders, mover::Mover::Parties{*process->source_, target, *process, clock, compare}, [] {});
  return process;
}

Result<> MoverProcess::spend() {
  if (dead()) return fail(Code::Unavailable, "the mover is dead");
  if (left_) --*left_;
  return {};
}

Result<> MoverProcess::append(const mover::Entry& entry) {
  TRY(spend());
  return papers_.append(entry);
}

std::size_t MoverRoom::living() const {
  std::size_t count = 0;
  for (const auto& [uid, files] : moves) count += files.process != nullptr;
  return count;
}

MoverRoom::Move* MoverRoom::pick(std::size_t choice) {
  std::size_t left = choice % std::max<std::size_t>(1, living());
  for (auto& entry : moves)
    if (entry.second.process && left-- == 0) return &entry;
  return nullptr;
}

void MoverRoom::step(std::size_t choice) {
  auto* chosen = pick(choice);
  if (!chosen) return;
  MoverProcess& process = *chosen->second.process;
  process.mover().setOptions(chosen->second.options);
  if (chosen->second.cancelled) process.mover().cancel();
  if (chosen->second.targetDead) process.mover().noteTargetDead();
  const auto before = chosen->second.journal.last();
  const auto verdict = process.mover().step();
  const auto after = chosen->second.journal.last();
  if (after && after != before)
    chronicle_.tell({"mover", chosen->first, schema::nameOf(after->stage), after->reason, after->message});
  if ((verdict && *verdict) || process.dead()) end(*chosen);
}

void MoverRoom::end(Move& move) {
  move.second.process.reset();
  if (changed) changed(move.first);
}

void MoverRoom::crash(std::size_t choice, unsigned calls) {
  auto* chosen = pick(choice);
  if (!chosen) return;
  chosen->second.process->dieAfter(calls);
  if (calls == 0) end(*chosen);
}

void MoverRoom::losePower() {
  for (auto& [uid, files] : moves) {
    const auto last = files.journal.last();
    files.struck = files.struck || !last || !mover::isVerdict(last->stage);
    files.process.reset();
  }
}

Result<> MoverRoom::start(const std::string& move) {
  MoveFiles& files = moves.at(move);
  if (!files.process) files.process = TRY(MoverProcess::start(fabric_, files.orders, files.journal, clock_, dress_));
  return {};
}

Result<std::vector<std::string>> SimulatedMovers::all() {
  std::vector<std::string> found;
  for (const auto& [uid, files] : room_.moves)
    if (!files.forgotten) found.push_back(uid);
  return found;
}

Result<node::Movers::State> SimulatedMovers::state(const std::string& move) {
  const auto found = room_.moves.find(move);
  if (found == room_.moves.end()) return State{};
  State state{found->second.process != nullptr, std::nullopt};
  const auto last = found->second.journal.last();
  if (!state.alive && last && mover::isVerdict(last->stage)) state.verdict = last;
  return state;
}

Result<> SimulatedMovers::giveOrders(const mover::Orders& orders, const mover::Options& options) {
  room_.moves[orders.move].orders = orders;
  room_.moves[orders.move].options = options;
  return {};
}

Result<> SimulatedMovers::giveOptions(const std::string& move, const mover::Options& options) {
  room_.moves.at(move).options = options;
  return {};
}

Result<> SimulatedMovers::forget(const std::string& move) {
  if (const auto found = room_.moves.find(move); found != room_.moves.end()) found->second.forgotten = true;
  return {};
}

Result<> SimulatedMovers::cancel(const std::string& move) {
  room_.moves.at(move).cancelled = true;
  return {};
}

Result<> SimulatedMovers::tellTargetDead(const std::string& move) {
  room_.moves.at(move).targetDead = true;
  return cancel(move);
}

}  // namespace godwit::sim
