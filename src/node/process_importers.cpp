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
  const Papers papers = TRY(errands_->papersOf(pod));
  state.verdict = TRY(importer::readVerdict(papers.journal()));
  state.progress = schema::readLastReport<importer::Progress>(papers.report());
  return state;
}

Result<> ProcessImporters::giveOrders(const importer::Orders& orders) {
  return errands_->giveOrders(orders.errand, importer::writeOrders(orders));
}

Result<importer::Sender> ProcessImporters::reach(const std::string& pod, std::int64_t bytes) {
  return importer::Sender::reach(TRY(errands_->papersOf(pod)).directory, bytes);
}

Result<std::string> ProcessImporters::logFile(const std::string& pod) const {
  return TRY(errands_->papersOf(pod)).log();
}

}  // namespace godwit::node
