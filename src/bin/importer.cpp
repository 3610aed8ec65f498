#include "importer/importer.hpp"

#include <filesystem>

#include <curl/curl.h>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/papers.hpp"
#include "bin/commands.hpp"
#include "bin/errand.hpp"
#include "importer/download.hpp"
#include "schema/report.hpp"

namespace godwit::bin {
namespace {

std::string sourceOf(const importer::Orders& orders) {
  if (orders.upload) return "an upload";
  if (orders.image) return orders.image->from.url;
  return orders.download ? importer::withoutSecrets(orders.download->url) : orders.original->path;
}

Result<importer::Verdict> carryOutImport(const Papers& papers) {
  const importer::Orders orders = TRY(importer::parseOrders(TRY(readFile(papers.orders()))));
  log::info("filling {} from {}", orders.target.path, sourceOf(orders));
  const SystemClock clock;
  auto report = TRY(schema::Report<importer::Progress>::open(papers.report(), clock));
  const auto note = [&](const importer::Progress& progress) -> Result<> {
    report.note(progress);
    if (std::filesystem::exists(papers.cancel())) return fail(Code::Gone, "it was given up");
    return {};
  };
  const importer::Verdict verdict = importer::fill(orders, {.directory = papers.directory, .note = note});
  TRY(importer::writeVerdict(papers.journal(), verdict));
  return verdict;
}

}  // namespace

int runImporterCommand(const std::string& directory) {
  outliveSignals();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const Papers papers{directory};
  const auto lock = FileLock::take(papers.lock());
  if (lock && !*lock) return 0;
  const auto verdict = lock ? carryOutImport(papers) : fail(lock.error());
  if (verdict) {
    log::info("{}: {}", verdict->reason, verdict->message);
    return verdict->filled ? 0 : 1;
  }
  log::error("the import cannot begin: {}", verdict.error().message);
  return kCannotBegin;
}

}  // namespace godwit::bin
