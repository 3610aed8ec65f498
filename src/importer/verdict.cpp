#include "importer/verdict.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/files.hpp"
#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::importer {

Result<> writeVerdict(const std::string& path, const Verdict& verdict) {
  return replaceFile(path, json::serialize(schema::write(verdict)));
}

Result<std::optional<Verdict>> readVerdict(const std::string& path) {
  const auto text = readFile(path);
  if (!text && text.error().code == Code::NotFound) return std::nullopt;
  if (!text) return fail(text.error());
  return schema::parse<Verdict>(json::value(TRY(object::parseDocument(*text))));
}

std::string percentage(const Progress& progress) {
  if (progress.total <= 0) return "N/A";
  const double part = static_cast<double>(std::clamp<std::int64_t>(progress.done, 0, progress.total));
  return fmt::format("{:.2f}%", 100 * part / static_cast<double>(progress.total));
}

}  // namespace godwit::importer
