#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "schema/schema.hpp"

namespace godwit::importer {

// How an errand ended. One that only died has none, and is begun again.
struct Verdict {
  bool filled = false;
  std::string reason;   // one word
  std::string message;  // for people

  bool operator==(const Verdict&) const = default;
};

// Durable before it returns.
Result<> writeVerdict(const std::string& path, const Verdict& verdict);
Result<std::optional<Verdict>> readVerdict(const std::string& path);

enum class Stage { Waiting, Transferring, Converting };

struct Progress {
  Stage stage = Stage::Transferring;
  std::int64_t done = 0;
  std::int64_t total = 0;  // 0: nobody knows

  bool operator==(const Progress&) const = default;
};

// "42.00%", or "N/A".
std::string percentage(const Progress& progress);

}  // namespace godwit::importer

namespace godwit::schema {

template <>
inline constexpr auto names<importer::Stage> =
    std::to_array<std::pair<importer::Stage, std::string_view>>({{importer::Stage::Waiting, "Waiting"},
                                                                 {importer::Stage::Transferring, "Transferring"},
                                                                 {importer::Stage::Converting, "Converting"}});

template <>
inline constexpr auto schema<importer::Verdict> =
    object(field<&importer::Verdict::filled>("filled", "Whether all of it is there."),
           field<&importer::Verdict::reason>("reason", "One word.", required),
           field<&importer::Verdict::message>("message", "A sentence."));

template <>
inline constexpr auto schema<importer::Progress> =
    object(field<&importer::Progress::stage>("stage", "What is going on.", required),
           field<&importer::Progress::done>("done", "Bytes that have come."),
           field<&importer::Progress::total>("total", "Bytes to come."));

}  // namespace godwit::schema
