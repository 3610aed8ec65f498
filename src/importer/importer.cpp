#include "importer/importer.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/failed_to.hpp"
#include "base/files.hpp"
#include "importer/arrival.hpp"
#include "importer/digest.hpp"
#include "importer/download.hpp"
#include "importer/qemu_img.hpp"
#include "importer/registry_image.hpp"
#include "importer/tar_member.hpp"
#include "importer/upload.hpp"
#include "storage/qcow2.hpp"
#include "storage/sparse_file.hpp"

namespace godwit::importer {
namespace {

namespace fs = std::filesystem;

std::string_view reasonOf(Code code) {
  switch (code) {
    case Code::NotFound:
      return "NotFound";
    case Code::Forbidden:
      return "Forbidden";
    case Code::Invalid:
      return "UnusableImage";
    case Code::Conflict:
      return "ChecksumMismatch";
    case Code::Gone:
      return "Cancelled";
    case Code::AlreadyExists:
    case Code::Unavailable:
    case Code::Timeout:
      return "TransferFailed";
    case Code::Internal:
      break;
  }
  return "ConversionFailed";
}

// A file that is gone when nobody needs it any more.
class Scratch {
 public:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  ~Scratch() { ::unlink(path_.c_str()); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// More than anybody has; for what is as large as it is.
constexpr std::int64_t kLargest = 1LL << 50;

// Containers know paths from their root.
bool isWanted(const std::string& path, const std::string& name) {
  return path.empty() ? name.starts_with("disk/") : "/" + name == path || name == path;
}

// One errand.
class Errand {
 public:
  Errand(const Orders& orders, const Surroundings& surroundings)
      : orders_(orders),
        surroundings_(surroundings),
        bytes_(orders.targetBytes),
        download_(besideTarget("download")),
        draft_(besideTarget("draft")) {}

  Result<> run() {
    TRY(surroundings_.note(progress_));
    if (orders_.target.isFile()) TRY(makeDirectory());
    if (orders_.download) return import(*orders_.download);
    if (orders_.image) return extract(*orders_.image);
    if (orders_.upload) return receive();
    return copy(*orders_.original);
  }

 private:
  // Where it can be given the target's name without being copied, if that is a file.
  std::string besideTarget(const char* name) const {
    if (orders_.target.isFile()) return fmt::format("{}.{}", orders_.target.path, name);
    return fmt::format("{}/{}", surroundings_.directory, name);
  }

  Result<> makeDirectory() const {
    std::error_code error;
    fs::create_directories(fs::path(orders_.target.path).parent_path(), error);
    if (!error) return {};
    return fail(Code::Unavailable,
                fmt::format("cannot make a directory for {}: {}", orders_.target.path, error.message()));
  }

  Result<> import(const Download& wanted) {
    SparseFile file = TRY(SparseFile::create(download_.path()));
    return settle(TRY(transfer(wanted, file)).name());
  }

  // What is in the upper layers hides what is below.
  Result<> extract(const ContainerImage& wanted) {
    RegistryImage image = TRY(RegistryImage::named(wanted.from));
    auto layers = TRY(image.layers());
    std::int64_t total = 0;
    for (const auto& layer : layers) total += layer.bytes;
    std::int64_t before = 0;
    for (auto layer = layers.rbegin(); layer != layers.rend(); before += layer->bytes, ++layer) {
      SparseFile file = TRY(SparseFile::create(download_.path()));
      Arrival arrival(file, bytes_ > 0 ? bytes_ : kLargest);
      TarMember member([&](const std::string& name) { return isWanted(wanted.path, name); },
                       [&](std::string_view bytes) { return arrival.take(bytes); });
      Unpacker unpacker([&](std::string_view bytes) { return member.take(bytes); });
      TRY(image.fetch(
          *layer, [&](std::string_view bytes) { return unpacker.take(bytes); },
          [&](std::int64_t done, std::int64_t) {
            progress_.done = before + done;
            progress_.total = total;
            return surroundings_.note(progress_);
          }));
      TRY(unpacker.finish());
      TRY(member.finish());
      if (member.found().empty()) continue;
      const ImageFormat format = TRY(arrival.finish());
      if (bytes_ == 0) bytes_ = storage::wholeSectors(format.isQcow2 ? format.virtualBytes : file.size());
      return settle(format.name());
    }
    return fail(Code::Invalid, fmt::format("{} has no {}", wanted.from.url,
                                           wanted.path.empty() ? "file in the folder disk" : wanted.path));
  }

  Result<ImageFormat> transfer(const Download& wanted, SparseFile& file) {
    std::optional<Digest> digest;
    if (!wanted.checksum.empty()) digest = TRY(Digest::expecting(wanted.checksum));
    Arrival arrival(file, orders_.targetBytes);
    const auto take = [&](std::string_view bytes) -> Result<> {
      if (digest) digest->take(bytes);
      return arrival.take(bytes);
    };
    const auto note = [&](std::int64_t done, std::int64_t total) {
      progress_.done = done;
      progress_.total = total;
      return surroundings_.note(progress_);
    };
    TRY(fetch(wanted, take, note));
    if (digest) TRY(digest->compare());
    return arrival.finish();
  }

  Result<> receive() {
    const Reception reception{.directory = surroundings_.directory,
                              .image = download_.path(),
                              .volumeBytes = orders_.targetBytes,
                              .note = [this](const Progress& progress) -> Result<> {
                                progress_ = progress;
                                return surroundings_.note(progress);
                              }};
    return settle(TRY(awaitUpload(reception)));
  }

  // The image has come, and is durable.
  Result<> settle(const std::string& format) {
    progress_.stage = Stage::Converting;
    TRY(surroundings_.note(progress_));
    if (format != "raw" || !orders_.target.isRawFile()) return convertFrom(download_.path(), format);
    if (::truncate(download_.path().c_str(), bytes_) != 0) return failedTo("size", download_.path());
    return giveName(download_);
  }

  Result<> copy(const storage::Place& original) {
    if (!original.isRawFile() || !orders_.target.isRawFile()) return convertFrom(original.qemuName(), original.format);
    const Descriptor from(::open(original.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!from) return fail(Code::Unavailable, fmt::format("cannot open {}: {}", original.path, std::strerror(errno)));
    const std::int64_t bytes = ::lseek(from.number(), 0, SEEK_END);
    if (bytes_ == 0) bytes_ = storage::wholeSectors(bytes);
    TRY(checkFits(bytes, bytes_));
    SparseFile file = TRY(SparseFile::create(draft_.path()));
    progress_.total = bytes;
    TRY(file.copy(from, bytes, [&](std::int64_t done) {
      progress_.done = done;
      return surroundings_.note(progress_);
    }));
    TRY(file.finish(bytes_));
    return giveName(draft_);
  }

  Result<> convertFrom(const std::string& source, const std::string& format) {
    Conversion conversion{.source = source,
                          .format = format,
                          .target = orders_.target,
                          .complaints = surroundings_.directory + "/qemu-img"};
    if (orders_.target.isFile()) {
      conversion.target.path = draft_.path();
      conversion.targetIsZero = true;
      TRY(makeDraft());
    }
    TRY(convert(conversion, [&] { return surroundings_.note(progress_); }));
    return orders_.target.isFile() ? giveName(draft_) : Result<>();
  }

  Result<> makeDraft() const {
    if (!orders_.target.isRawFile()) return storage::makeQcow2(draft_.path(), bytes_);
    SparseFile file = TRY(SparseFile::create(draft_.path()));
    return file.finish(bytes_);
  }

  // The moment from which the image is there.
  Result<> giveName(const Scratch& whole) const {
    const Descriptor file(::open(whole.path().c_str(), O_RDONLY | O_CLOEXEC));
    if (!file || ::fsync(file.number()) != 0 || ::rename(whole.path().c_str(), orders_.target.path.c_str()) != 0)
      return fail(Code::Unavailable, fmt::format("cannot finish {}: {}", orders_.target.path, std::strerror(errno)));
    return syncDirectory(fs::path(orders_.target.path).parent_path());
  }

  const Orders& orders_;
  const Surroundings& surroundings_;
  std::int64_t bytes_;  // that the target has; 0: as many as the image, once that is known
  const Scratch download_;
  const Scratch draft_;
  Progress progress_;
};

}  // namespace

Verdict fill(const Orders& orders, const Surroundings& surroundings) {
  const auto filled = Errand(orders, surroundings).run();
  if (filled) return {.filled = true, .reason = "Completed", .message = ""};
  return {.filled = false, .reason = std::string(reasonOf(filled.error().code)), .message = filled.error().message};
}

}  // namespace godwit::importer
