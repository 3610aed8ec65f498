#pragma once

#include <memory>

#include "node/errands.hpp"
#include "node/movers.hpp"

namespace godwit::node {

// Movers as processes.
class ProcessMovers final : public Movers {
 public:
  struct Config {
    std::string directory;        // has one directory per move
    std::string program;          // runs "mover --directory <the move's>", or one that waits for a move
    std::string hypervisor = {};  // the URI of this node's, where every move begins
  };

  static Result<std::unique_ptr<ProcessMovers>> open(Config config, const Clock& clock);

  Result<std::vector<std::string>> all() override { return errands_->all(); }
  void beReady() override { errands_->beReady(); }
  void expect(const mover::Orders& draft) override;
  Result<State> state(const std::string& move) override;
  bool hasOrders(const std::string& move) override { return errands_->hasOrders(move); }
  Result<> giveOrders(const mover::Orders& orders, const mover::Options& options) override;
  Result<> giveOptions(const std::string& move, const mover::Options& options) override;
  Result<> start(const std::string& move) override { return errands_->start(move); }
  Result<> cancel(const std::string& move) override { return errands_->cancel(move); }
  Result<> tellTargetDead(const std::string& move) override;
  std::optional<mover::Progress> progress(const std::string& move) override;
  Result<> forget(const std::string& move) override { return errands_->forget(move); }
  void whenChanged(std::function<void(const std::string&)> changed) override {
    errands_->whenChanged(std::move(changed));
  }

  // Where all movers of that move have written what they have to say.
  Result<std::string> logFile(const std::string& move) const;

 private:
  explicit ProcessMovers(std::unique_ptr<Errands> errands) : errands_(std::move(errands)) {}

  const std::unique_ptr<Errands> errands_;
};

}  // namespace godwit::node
