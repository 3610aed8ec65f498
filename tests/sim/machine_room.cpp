#include "sim/machine_room.hpp"

#include "storage/disks.hpp"

namespace godwit::sim {

std::string SimulatedImages::ownerOf(const std::string& path) const {
  return path.starts_with(kSharedDirectory) ? "" : host_;
}

Result<> SimulatedImages::ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const auto image = TRY(storage::locate(volume));
  const auto there = fabric_.inspectImage(host_, image.path);
  if (there && there->size < bytes) return fail(Code::Invalid, image.path + " is too small");
  if (!there) fabric_.createImage(ownerOf(image.path), image.path, bytes);
  return {};
}

Result<> SimulatedImages::grow(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  fabric_.growImage(host_, TRY(storage::locate(volume)).path, bytes);
  return {};
}

Result<> SimulatedImages::remove(const kinds::PersistentVolume& volume) {
  const auto image = TRY(storage::locate(volume));
  fabric_.removeImage(ownerOf(image.path), image.path);
  return {};
}

std::size_t MoverRoom::living() const {
  std::size_t count = 0;
  for (const auto& [uid, files] : moves) count += files.process.has_value();
  return count;
}

std::pair<const std::string, MoveFiles>* MoverRoom::pick(std::size_t choice) {
  std::size_t left = choice % std::max<std::size_t>(1, living());
  for (auto& entry : moves)
    if (entry.second.process && left-- == 0) return &entry;
  return nullptr;
}

void MoverRoom::step(std::size_t choice) {
  auto* chosen = pick(choice);
  if (!chosen) return;
  mover::Mover& mover = *chosen->second.process->mover;
  mover.setOptions(chosen->second.options);
  if (chosen->second.cancelled) mover.cancel();
  if (chosen->second.targetDead) mover.noteTargetDead();
  const auto verdict = mover.step();
  if (!verdict || !*verdict) return;
  chosen->second.process.reset();
  if (changed) changed(chosen->first);
}

void MoverRoom::crash(std::size_t choice) {
  auto* chosen = pick(choice);
  if (!chosen) return;
  chosen->second.process.reset();
  if (changed) changed(chosen->first);
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
  if (files.process) return {};
  MoveFiles::Process process;
  process.source = TRY(fabric_.connect(files.orders.sourceUri));
  process.target = TRY(fabric_.connect(files.orders.targetUri));
  hypervisor::Hypervisor& target = files.orders.inPlace ? *process.source : *process.target;
  process.mover = std::make_unique<mover::Mover>(
      files.orders, mover::Mover::Parties{*process.source, target, files.journal, clock_}, [] {});
  files.process = std::move(process);
  return {};
}

Result<node::Movers::State> SimulatedMovers::state(const std::string& move) {
  const auto found = room_.moves.find(move);
  if (found == room_.moves.end()) return State{};
  State state{found->second.process.has_value(), std::nullopt};
  const auto last = found->second.journal.last();
  if (!state.alive && last && mover::isVerdict(last->stage)) state.verdict = last;
  return state;
}

Result<> SimulatedMovers::giveOrders(const mover::Orders& orders) {
  room_.moves[orders.move].orders = orders;
  return {};
}

Result<> SimulatedMovers::giveOptions(const std::string& move, const mover::Options& options) {
  room_.moves.at(move).options = options;
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
