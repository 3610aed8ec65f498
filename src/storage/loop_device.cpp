#include "storage/loop_device.hpp"

#include <fcntl.h>
#include <linux/loop.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/failed_to.hpp"

namespace godwit::storage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kControl = "/dev/loop-control";
constexpr const char* kBlockDevices = "/sys/block";
// Each attempt that is lost means that somebody else has taken a device.
constexpr int kAttempts = 100;

// By inode: the kernel's idea of the path is that of the namespace that attached it, which may be gone.
bool shows(const std::string& device, const struct stat& file) {
  const Descriptor loop(::open(device.c_str(), O_RDONLY | O_CLOEXEC));
  loop_info64 about = {};
  return loop && ::ioctl(loop.number(), LOOP_GET_STATUS64, &about) == 0 && about.lo_device == file.st_dev &&
         about.lo_inode == file.st_ino;
}

// Held while a device is looked for and attached; the kernel takes it back with the descriptor.
Result<Descriptor> lockFile(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::flock(file.number(), LOCK_EX) != 0) return failedTo("lock", path);
  return file;
}

// False when somebody else was faster.
Result<bool> configure(const std::string& device, int file) {
  const Descriptor loop(::open(device.c_str(), O_RDWR | O_CLOEXEC));
  if (!loop) return failedTo("open", device);
  loop_config config = {};
  config.fd = static_cast<std::uint32_t>(file);
  config.info.lo_flags = LO_FLAGS_DIRECT_IO;  // where the file system can; bytes are not to be cached twice
  if (::ioctl(loop.number(), LOOP_CONFIGURE, &config) == 0) return true;
  if (errno == EBUSY) return false;
  return failedTo("attach", device);
}

}  // namespace

Result<std::optional<std::string>> findLoopDevice(const std::string& file) {
  struct stat wanted = {};
  if (::stat(file.c_str(), &wanted) != 0) return std::nullopt;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(kBlockDevices, error)) {
    if (!fs::exists(entry.path() / "loop", error)) continue;  // only a device that shows something has it
    std::string device = "/dev/" + entry.path().filename().string();
    if (shows(device, wanted)) return device;
  }
  return std::nullopt;
}

namespace {

// Succeeds when nothing shows the file, or no longer does.
Result<> order(const std::string& file, unsigned long request, const char* word) {
  const auto device = TRY(findLoopDevice(file));
  if (!device) return {};
  const Descriptor loop(::open(device->c_str(), O_RDONLY | O_CLOEXEC));
  if (!loop) return failedTo("open", *device);
  if (::ioctl(loop.number(), request) != 0 && errno != ENXIO) return failedTo(word, *device);
  return {};
}

}  // namespace

Result<std::string> attachLoopDevice(const std::string& path) {
  const Descriptor lock = TRY(lockFile(path));
  if (const auto attached = TRY(findLoopDevice(path))) return *attached;
  const Descriptor control(::open(kControl, O_RDWR | O_CLOEXEC));
  if (!control) return failedTo("open", kControl);
  // Not the one that is locked: the kernel keeps this one open, and its locks with it.
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file) return failedTo("open", path);
  for (int i = 0; i < kAttempts; ++i) {
    const int number = ::ioctl(control.number(), LOOP_CTL_GET_FREE);
    if (number < 0) return failedTo("get a loop device from", kControl);
    std::string device = fmt::format("/dev/loop{}", number);
    if (TRY(configure(device, file.number()))) return device;
  }
  return fail(Code::Unavailable, fmt::format("every loop device that is free is taken before {} gets it", path));
}

Result<> measureLoopDevice(const std::string& file) { return order(file, LOOP_SET_CAPACITY, "measure"); }

Result<> detachLoopDevice(const std::string& file) { return order(file, LOOP_CLR_FD, "detach"); }

}  // namespace godwit::storage
