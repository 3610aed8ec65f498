#include "importer/upload.hpp"

#include <filesystem>
#include <optional>

#include "base/failed_to.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "importer/arrival.hpp"
#include "importer/inlet.hpp"

namespace godwit::importer {
namespace {

// So often what has come is made durable: the sender waits for the rest at the end, and not for long.
constexpr std::int64_t kSyncEvery = 64LL << 20;

std::string recordIn(const std::string& directory) { return directory + "/received"; }

// What an importer before this one has told its sender that it has. The image goes last of all, so without it there is
// nothing to go on with.
Result<std::optional<std::string>> alreadyReceived(const Reception& reception) {
  const std::string record = recordIn(reception.directory);
  const auto format = readFile(record);
  if (!format && format.error().code == Code::NotFound) return std::nullopt;
  if (!format) return fail(format.error());
  if (std::filesystem::exists(reception.image)) return *format;
  if (::unlink(record.c_str()) != 0) return failedTo("remove", record);
  TRY(syncDirectory(reception.directory));
  return std::nullopt;
}

// Nothing when the sender has left before the end.
Result<std::optional<ImageFormat>> takeIn(const Shipment& shipment, const Reception& reception) {
  SparseFile file = TRY(SparseFile::create(reception.image));
  Arrival arrival(file, reception.volumeBytes);
  std::int64_t synced = 0;
  Progress progress{.stage = Stage::Transferring, .done = 0, .total = shipment.total()};
  TRY(reception.note(progress));
  const auto take = [&](std::string_view bytes) -> Result<> {
    progress.done += static_cast<std::int64_t>(bytes.size());
    TRY(reception.note(progress));
    TRY(arrival.take(bytes));
    if (file.size() - synced < kSyncEvery) return {};
    synced = file.size();
    return file.sync();
  };
  const bool whole = TRY(shipment.read(take, [&] { return reception.note(progress); }));
  if (!whole) return std::nullopt;
  const ImageFormat format = TRY(arrival.finish());
  TRY(replaceFile(recordIn(reception.directory), format.name()));
  return format;
}

}  // namespace

Result<std::string> awaitUpload(const Reception& reception) {
  if (const auto format = TRY(alreadyReceived(reception))) return *format;
  const Inlet inlet = TRY(Inlet::open(reception.directory));
  for (;;) {
    const Progress waiting{.stage = Stage::Waiting, .done = 0, .total = 0};
    const Shipment shipment = TRY(inlet.accept([&] { return reception.note(waiting); }));
    const auto format = takeIn(shipment, reception);
    if (format && !*format) {
      log::info("an upload has broken off; waiting for another");
      continue;
    }
    shipment.answer(format ? Result<>() : fail(format.error()));
    if (!format) return fail(format.error());
    return std::string((*format)->name());
  }
}

}  // namespace godwit::importer
