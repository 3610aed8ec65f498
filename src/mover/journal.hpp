#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "schema/schema.hpp"

namespace godwit::mover {

// How far a move is. The last three are verdicts.
enum class Stage {
  Copying,        // disks, memory, or both are on their way; everything can still be undone
  Verifying,      // disks are copied, and what is written follows; that is looked at before anybody counts on it
  InSync,         // the same, until the switch-over is asked for
  Holding,        // copying, and the guest stands still so that the copy comes to an end
  Recalling,      // that copy is called off for another one, by which the guest goes on before its memory is there
  PostCopying,    // that one is on its way; once the guest runs at the target there is no way back
  SwitchingOver,  // from here on the move is finished, not undone, wherever it was interrupted
  Mending,        // some disks have moved, and the others are copied once more; the guest runs on both
  RollingBack,    // what was begun is being undone
  Moved,          // the guest is where it was to go
  NotMoved,       // the guest is where it was
  Lost,           // the guest is on neither side
};

constexpr bool isVerdict(Stage stage) {
  return stage == Stage::Moved || stage == Stage::NotMoved || stage == Stage::Lost;
}

// How a mover ends that has come to this verdict.
constexpr int exitCodeOf(Stage verdict) { return verdict == Stage::Moved ? 0 : verdict == Stage::NotMoved ? 1 : 3; }

// Whether all disks of a move in place have a mirror that could be switched over to.
constexpr bool isMirrored(Stage stage) { return stage == Stage::Verifying || stage == Stage::InSync; }

// Whether state is on its way, and none has been handed over.
constexpr bool isCopying(Stage stage) { return stage == Stage::Copying || stage == Stage::Holding; }

struct Entry {
  Stage stage = Stage::Copying;
  std::string reason;   // one word
  std::string message;  // for people
  // It is the mover who makes the guest stand still, so it lets it go on.
  bool holdsGuest = false;

  bool operator==(const Entry&) const = default;
};

// What a move may not forget. An entry is durable before append() returns: whoever comes
// after a crash reads the last one and finishes what was begun.
class Journal {
 public:
  virtual ~Journal() = default;
  virtual Result<> append(const Entry& entry) = 0;
  virtual std::optional<Entry> last() const = 0;
};

// Lines of JSON in a file, each fsynced. A line that a power loss cut short counts as not written.
class FileJournal final : public Journal {
 public:
  static Result<FileJournal> open(const std::string& path);
  FileJournal(FileJournal&& other) noexcept;
  FileJournal& operator=(FileJournal&&) = delete;
  ~FileJournal() override;

  Result<> append(const Entry& entry) override;
  std::optional<Entry> last() const override { return last_; }

 private:
  FileJournal(int file, std::optional<Entry> last) : file_(file), last_(std::move(last)) {}

  int file_;
  std::optional<Entry> last_;
};

class MemoryJournal final : public Journal {
 public:
  Result<> append(const Entry& entry) override {
    entries_.push_back(entry);
    return {};
  }
  std::optional<Entry> last() const override {
    return entries_.empty() ? std::nullopt : std::optional(entries_.back());
  }

 private:
  std::vector<Entry> entries_;
};

// The last entry of a journal somebody else may be writing; nothing when there is none yet.
Result<std::optional<Entry>> readLastEntry(const std::string& path);

}  // namespace godwit::mover

namespace godwit::schema {

template <>
inline constexpr auto names<mover::Stage> =
    std::to_array<std::pair<mover::Stage, std::string_view>>({{mover::Stage::Copying, "Copying"},
                                                              {mover::Stage::Verifying, "Verifying"},
                                                              {mover::Stage::InSync, "InSync"},
                                                              {mover::Stage::Holding, "Holding"},
                                                              {mover::Stage::Recalling, "Recalling"},
                                                              {mover::Stage::PostCopying, "PostCopying"},
                                                              {mover::Stage::SwitchingOver, "SwitchingOver"},
                                                              {mover::Stage::Mending, "Mending"},
                                                              {mover::Stage::RollingBack, "RollingBack"},
                                                              {mover::Stage::Moved, "Moved"},
                                                              {mover::Stage::NotMoved, "NotMoved"},
                                                              {mover::Stage::Lost, "Lost"}});

template <>
inline constexpr auto schema<mover::Entry> =
    object(field<&mover::Entry::stage>("stage", "How far the move is.", required),
           field<&mover::Entry::reason>("reason", "One word."), field<&mover::Entry::message>("message", "A sentence."),
           field<&mover::Entry::holdsGuest>("holdsGuest", "Whether the guest stands still for the move."));

}  // namespace godwit::schema
