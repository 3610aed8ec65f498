#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/mutex.hpp"
#include "base/result.hpp"
#include "store/operation.hpp"

namespace godwit::store {

// One thread that commits operations in batches: whatever is asked while a batch is being
// committed forms the next one, so that many callers share the cost of one disk flush.
class Writer {
 public:
  using Answers = std::vector<Result<Revision>>;
  // Runs on the writer's thread only. Gives one answer per operation, in their order.
  using Commit = std::function<Answers(const std::vector<Operation>&)>;

  explicit Writer(Commit commit);
  // Commits what was asked for before; nobody may ask any more.
  ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Blocks until the batch that holds `operation` is committed.
  Result<Revision> write(Operation operation);

  // How many operations the next batch would hold.
  std::size_t waiting() const;

 private:
  struct Batch {
    std::vector<Operation> operations;
    std::vector<std::promise<Result<Revision>>> answers;
  };

  void run(const std::stop_token& stop);
  // Empty once `stop` is requested and nothing is left.
  Batch nextBatch(const std::stop_token& stop);
  void commit(Batch batch);

  const Commit commit_;
  mutable Mutex mutex_;
  Signal asked_;
  Batch asking_ GUARDED_BY(mutex_);
  std::jthread thread_;  // the last member: it starts when the others stand, and ends before they fall
};

}  // namespace godwit::store
