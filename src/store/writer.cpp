#include "store/writer.hpp"

#include <utility>

namespace godwit::store {

Writer::Writer(Commit commit)
    : commit_(std::move(commit)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

Result<Revision> Writer::write(Operation operation) {
  std::promise<Result<Revision>> promise;
  auto answer = promise.get_future();
  {
    const Lock lock(mutex_);
    asking_.operations.push_back(std::move(operation));
    asking_.answers.push_back(std::move(promise));
  }
  asked_.notifyOne();
  return answer.get();
}

std::size_t Writer::waiting() const {
  const Lock lock(mutex_);
  return asking_.operations.size();
}

void Writer::run(const std::stop_token& stop) {
  for (Batch batch = nextBatch(stop); !batch.operations.empty(); batch = nextBatch(stop)) commit(std::move(batch));
}

Writer::Batch Writer::nextBatch(const std::stop_token& stop) {
  const Lock lock(mutex_);
  asked_.wait(mutex_, stop, [this]() REQUIRES(mutex_) { return !asking_.operations.empty(); });
  return std::exchange(asking_, {});
}

void Writer::commit(Batch batch) {
  Answers answers = commit_(batch.operations);
  ENSURE(answers.size() == batch.answers.size(), "every operation gets one answer");
  for (std::size_t i = 0; i < answers.size(); ++i) batch.answers[i].set_value(std::move(answers[i]));
}

}  // namespace godwit::store
