#include "node/process_importers.hpp"

#include "schema/report.hpp"

namespace godwit::node {

Result<std::unique_ptr<ProcessImporters>> ProcessImporters::open(const std::string& directory,
                                                                 const std::string& program, const Clock& clock) {
  auto errands = TRY(Errands::open({.directory = directory, .program = program, .verb = "importer"}, clock));
  return std::unique_ptr<ProcessImporters>(new ProcessImporters(std::move(errands)));
}

Result<Importers::State> ProcessImporters::state(const std::string& pod) {
  State state;
  state.alive = TRY(errands_->isAlive(pod));
  // Read after that: what an importer writes before it dies is then seen together with its death.
  state.verdict = TRY(importer::readVerdict(TRY(errands_->papersOf(pod)).journal()));
  return state;
}

Result<> ProcessImporters::giveOrders(const importer::Orders& orders) {
  return errands_->giveOrders(orders.errand, importer::writeOrders(orders));
}

std::optional<importer::Progress> ProcessImporters::progress(const std::string& pod) {
  const auto papers = errands_->papersOf(pod);
  return papers ? schema::readLastReport<importer::Progress>(papers->report()) : std::nullopt;
}

Result<std::string> ProcessImporters::logFile(const std::string& pod) const {
  return TRY(errands_->papersOf(pod)).log();
}

}  // namespace godwit::node
