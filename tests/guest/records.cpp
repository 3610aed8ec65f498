#include "guest/records.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "boot_sector.hpp"

namespace godwit::guest {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSector = 512;
constexpr std::size_t kParametersAt = 0x1e0;
constexpr std::uint32_t kMagic = 0x4d564b54;

using Record = std::array<std::uint32_t, kSector / sizeof(std::uint32_t)>;
static_assert(kBootSector.size() == kSector);
static_assert(sizeof(GuestParameters) == 24, "laid out as at the end of boot.S");

bool isSound(const Record& record) {
  if (record[0] != kMagic) return false;
  for (std::uint32_t i = 2; i < record.size(); ++i)
    if (record[i] != (record[1] ^ i)) return false;
  return true;
}

Result<GuestParameters> parametersOf(std::istream& image, const std::string& path) {
  std::array<char, kSector> sector{};
  image.read(sector.data(), kSector);
  if (!image || std::memcmp(sector.data(), kBootSector.data(), kParametersAt) != 0)
    return fail(Code::Invalid, fmt::format("{} holds no test guest", path));
  GuestParameters parameters;
  std::memcpy(&parameters, sector.data() + kParametersAt, sizeof parameters);
  return parameters;
}

// The record that slot `slot` must hold once `last` was written; 0 when that is none.
std::uint32_t expectedIn(std::uint32_t slot, std::uint32_t last, std::uint32_t slots) {
  const std::uint32_t behind = (last % slots + slots - slot) % slots;
  return behind >= last ? 0 : last - behind;
}

Result<Verdict> look(const std::string& path) {
  std::ifstream image(path, std::ios::binary);
  if (!image) return fail(Code::NotFound, fmt::format("cannot open {}", path));
  const GuestParameters parameters = TRY(parametersOf(image, path));
  std::vector<Record> records(parameters.slots);
  image.seekg(static_cast<std::streamoff>(parameters.base) * static_cast<std::streamoff>(kSector));
  image.read(reinterpret_cast<char*>(records.data()), static_cast<std::streamsize>(records.size() * kSector));
  if (!image) return fail(Code::Invalid, fmt::format("{} is too short for its records", path));
  Verdict verdict;
  for (const Record& record : records)
    if (isSound(record)) verdict.last = std::max(verdict.last, record[1]);
  for (std::uint32_t slot = 0; slot < parameters.slots; ++slot) {
    const std::uint32_t expected = expectedIn(slot, verdict.last, parameters.slots);
    if (expected != 0 && !(isSound(records[slot]) && records[slot][1] == expected)) verdict.bad.push_back(slot);
  }
  return verdict;
}

}  // namespace

Result<> install(const std::string& image, std::int64_t size, const GuestParameters& parameters) {
  auto sector = kBootSector;
  std::memcpy(sector.data() + kParametersAt, &parameters, sizeof parameters);
  std::ofstream(image, std::ios::app | std::ios::binary).flush();
  std::fstream file(image, std::ios::in | std::ios::out | std::ios::binary);
  file.write(reinterpret_cast<const char*>(sector.data()), kSector);
  file.close();
  if (!file) return fail(Code::Internal, fmt::format("cannot write {}: {}", image, std::strerror(errno)));
  std::error_code failed;
  if (fs::is_regular_file(image) && static_cast<std::int64_t>(fs::file_size(image)) < size)
    fs::resize_file(image, static_cast<std::uintmax_t>(size), failed);
  if (failed) return fail(Code::Internal, fmt::format("cannot size {}: {}", image, failed.message()));
  return {};
}

Result<Verdict> verify(const std::string& path) {
  const Verdict first = TRY(look(path));
  if (first.bad.empty()) return first;
  const Verdict again = TRY(look(path));
  Verdict verdict{.last = first.last, .bad = {}};
  std::ranges::set_intersection(first.bad, again.bad, std::back_inserter(verdict.bad));
  return verdict;
}

}  // namespace godwit::guest
