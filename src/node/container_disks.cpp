#include "node/container_disks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "base/failed_to.hpp"
#include "base/image_reference.hpp"
#include "http/uri.hpp"

namespace godwit::node {
namespace {

using namespace std::chrono_literals;

namespace fs = std::filesystem;

constexpr Duration kTryAgainAfter = 10s;
constexpr std::string_view kKeptErrand = "image-";
constexpr const char* kDockerConfig = ".dockerconfigjson";

bool isKept(const kinds::ContainerDisk& disk) {
  if (!disk.imagePullPolicy.empty()) return disk.imagePullPolicy != "Always";
  const auto reference = ImageReference::parse(disk.image);
  return reference && reference->version != "latest";
}

// {"auths": {"quay.io": {"auth": base64 of "user:password"}}}, as those who log in to registries have it.
Result<> logIn(const kinds::Secret& secret, const ImageReference& image, importer::Download& download) {
  const auto found = secret.data.find(kDockerConfig);
  if (found == secret.data.end())
    return fail(Code::Invalid, fmt::format("secret {} has no {}", secret.metadata.name, kDockerConfig));
  const auto config = TRY(object::parseDocument(TRY(decodeBase64(found->second))));
  std::string login = object::textAt(config, {"auths", image.registry, "auth"});
  if (login.empty()) return {};
  login = TRY(decodeBase64(login));
  download.user = login.substr(0, login.find(':'));
  if (const auto colon = login.find(':'); colon != std::string::npos) download.password = login.substr(colon + 1);
  return {};
}

Result<> makeEmpty(const std::string& file, std::int64_t bytes) {
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);
  const Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (error || !made || ::ftruncate(made.number(), bytes) != 0) return failedTo("make", file);
  return {};
}

// A file's name that nothing else has.
std::string fileNameOf(const kinds::ContainerDisk& disk) {
  const auto image = ImageReference::parse(disk.image);
  const std::string whole = image ? fmt::format("{}/{}:{}", image->registry, image->repository, image->version) : "";
  return http::encode(disk.path.empty() ? whole : whole + "#" + disk.path);
}

std::string percentOf(const std::optional<importer::Progress>& progress) {
  return progress ? importer::percentage(*progress) : "0.0%";
}

}  // namespace

bool isForContainerDisks(std::string_view errand) { return errand.starts_with(kKeptErrand); }

std::string containerDiskFile(const std::string& directory, const std::string& instance, const std::string& volume) {
  return fmt::format("{}/guests/{}/{}.img", directory, instance, volume);
}

// An image that is kept is fetched once, whoever waits for it; one that is not, for its guest alone.
ContainerDisks::Way ContainerDisks::wayTo(const kinds::Pod& pod, const std::string& file,
                                          const kinds::ContainerDisk& disk) const {
  const std::string name = fileNameOf(disk);
  const std::string kept = fmt::format("{}/images/{}.img", means_.directory, name);
  if (!isKept(disk)) return {.errand = pod.metadata.uid, .from = "", .to = file};
  if (fs::exists(kept)) return {.errand = pod.metadata.uid, .from = kept, .to = file};
  return {.errand = std::string(kKeptErrand) + name, .from = "", .to = kept};
}

Result<std::string> ContainerDisks::whyNotYet(const kinds::Pod& pod, const std::string& instance,
                                              const storage::WantedDisk& disk) {
  const std::string file = containerDiskFile(means_.directory, instance, disk.volume);
  if (fs::exists(file)) return "";
  const Way way = wayTo(pod, file, *disk.container);
  const std::string what = fmt::format("image {} of volume {}", disk.container->image, disk.volume);
  const auto state = TRY(means_.importers.state(way.errand));
  if (state.alive) return fmt::format("{} is being fetched: {}", what, percentOf(state.progress));
  if (state.verdict && !state.verdict->filled && isTooEarly(way.errand))
    return fmt::format("{}: {}: {}", what, state.verdict->reason, state.verdict->message);
  if (state.verdict) TRY(means_.importers.forget(way.errand));
  TRY(means_.importers.giveOrders(TRY(compose(pod.metadata.nameSpace, way, *disk.container))));
  TRY(means_.importers.start(way.errand));
  return fmt::format("{} is being fetched", what);
}

// The first who hears of a failure notes when.
bool ContainerDisks::isTooEarly(const std::string& errand) {
  const Lock lock(mutex_);
  const auto failed = failed_.try_emplace(errand, means_.clock.now()).first;
  if (means_.clock.now() - failed->second < kTryAgainAfter) return true;
  failed_.erase(failed);
  return false;
}

Result<importer::Orders> ContainerDisks::compose(const std::string& nameSpace, const Way& way,
                                                 const kinds::ContainerDisk& disk) const {
  importer::Orders orders;
  orders.errand = way.errand;
  orders.target = storage::Place{way.to};
  if (!way.from.empty()) {
    orders.original = storage::Place{way.from};
    return orders;
  }
  if (disk.imagePullPolicy == "Never")
    return fail(Code::Invalid,
                fmt::format("image {} is not on node {}, and never to be fetched", disk.image, means_.node));
  const ImageReference image = TRY(ImageReference::parse(disk.image));
  orders.image.emplace();
  orders.image->from.url = disk.image;
  orders.image->path = disk.path;
  if (disk.imagePullSecret.empty()) return orders;
  const auto secret = TRY(means_.findSecret({nameSpace, disk.imagePullSecret}));
  TRY(logIn(secret, image, orders.image->from));
  return orders;
}

Result<hypervisor::DiskSource> ContainerDisks::prepare(const std::string& instance, const storage::WantedDisk& disk,
                                                       std::int64_t bytesToCome) const {
  const std::string file = containerDiskFile(means_.directory, instance, disk.volume);
  if (!fs::exists(file)) {
    if (bytesToCome == 0) return fail(Code::Unavailable, fmt::format("volume {} has no disk yet", disk.volume));
    TRY(makeEmpty(file, bytesToCome));
  }
  return hypervisor::DiskSource{hypervisor::DiskSource::Type::File, file, "raw"};
}

Result<> ContainerDisks::giveUp(const kinds::Pod& pod) const {
  const std::string& errand = pod.metadata.uid;
  if (!TRY(means_.importers.state(errand)).alive) return means_.importers.forget(errand);
  TRY(means_.importers.cancel(errand));
  return fail(Code::Unavailable, "an image is still being fetched");
}

Result<> ContainerDisks::remove(const std::string& instance) const {
  if (instance.empty() || means_.directory.empty()) return {};
  const fs::path directory = fs::path(containerDiskFile(means_.directory, instance, "")).parent_path();
  std::error_code error;
  fs::remove_all(directory, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot remove {}: {}", directory.string(), error.message()));
  return {};
}

}  // namespace godwit::node
