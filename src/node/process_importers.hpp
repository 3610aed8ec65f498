#pragma once

#include <memory>

#include "node/errands.hpp"
#include "node/importers.hpp"

namespace godwit::node {

// Importers as processes.
class ProcessImporters final : public Importers {
 public:
  // The directory has one directory per import; the program runs "importer --directory <the import's>".
  static Result<std::unique_ptr<ProcessImporters>> open(const std::string& directory, const std::string& program,
                                                        const Clock& clock);

  Result<State> state(const std::string& pod) override;
  Result<> giveOrders(const importer::Orders& orders) override;
  Result<> start(const std::string& pod) override { return errands_->start(pod); }
  Result<> cancel(const std::string& pod) override { return errands_->cancel(pod); }
  Result<importer::Sender> reach(const std::string& pod, std::int64_t bytes) override;
  Result<> forget(const std::string& pod) override { return errands_->forget(pod); }
  void whenChanged(std::function<void(const std::string&)> changed) override {
    errands_->whenChanged(std::move(changed));
  }

  // Where all importers of that pod have written what they have to say.
  Result<std::string> logFile(const std::string& pod) const;

 private:
  explicit ProcessImporters(std::unique_ptr<Errands> errands) : errands_(std::move(errands)) {}

  const std::unique_ptr<Errands> errands_;
};

}  // namespace godwit::node
