#include "node/process_movers.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "schema/report.hpp"

namespace godwit::node {
namespace {

// After a power cut, which ends the guest as well, they are given again if they are not whole.
Result<> writeOptions(const Papers& papers, const mover::Options& options) {
  const std::string text = mover::writeOptions(options);
  if (readFile(papers.options()) == text) return {};
  return replaceFile(papers.options(), text, Durable::Nothing);
}

}  // namespace

Result<std::unique_ptr<ProcessMovers>> ProcessMovers::open(Config config, const Clock& clock) {
  auto errands = TRY(Errands::open({.directory = std::move(config.directory),
                                    .program = std::move(config.program),
                                    .verb = "mover",
                                    .waiting = {"--source", std::move(config.hypervisor)}},
                                   clock));
  return std::unique_ptr<ProcessMovers>(new ProcessMovers(std::move(errands)));
}

void ProcessMovers::expect(const mover::Orders& draft) {
  errands_->expect(draft.move, draft.targetUri.empty() ? "" : mover::writeOrders(draft));
}

Result<Movers::State> ProcessMovers::state(const std::string& move) {
  State state;
  state.alive = TRY(errands_->isAlive(move));
  // Read after that: what a mover writes before it dies is then seen together with its death.
  const auto last = TRY(mover::readLastEntry(TRY(errands_->papersOf(move)).journal()));
  if (!last || !mover::isVerdict(last->stage)) return state;
  state.verdict = last;
  // It has given back its lock when all is said; that it goes afterwards need not be waited for.
  state.alive = TRY(errands_->holdsLock(move));
  return state;
}

Result<> ProcessMovers::giveOrders(const mover::Orders& orders, const mover::Options& options) {
  TRY(writeOptions(TRY(errands_->makePapers(orders.move)), options));
  return errands_->giveOrders(orders.move, mover::writeOrders(orders));
}

Result<> ProcessMovers::giveOptions(const std::string& move, const mover::Options& options) {
  if (!hasOrders(move)) return fail(Code::NotFound, fmt::format("there are no orders for {}", move));
  return writeOptions(TRY(errands_->papersOf(move)), options);
}

Result<> ProcessMovers::tellTargetDead(const std::string& move) {
  const Papers papers = TRY(errands_->papersOf(move));
  TRY(errands_->leaveWord(move, papers.targetDead()));
  return errands_->cancel(move);
}

std::optional<mover::Progress> ProcessMovers::progress(const std::string& move) {
  const auto papers = errands_->papersOf(move);
  return papers ? schema::readLastReport<mover::Progress>(papers->report()) : std::nullopt;
}

Result<std::string> ProcessMovers::logFile(const std::string& move) const {
  return TRY(errands_->papersOf(move)).log();
}

}  // namespace godwit::node
