#include "node/logs/followers.hpp"

#include <filesystem>
#include <utility>

namespace godwit::node::logs {

void Follower::tell() {
  std::function<void()> wake;
  {
    const Lock lock(mutex_);
    told_ = true;
    wake.swap(wake_);
  }
  if (wake) wake();
}

void Follower::whenTold(std::function<void()> wake) {
  {
    const Lock lock(mutex_);
    if (!told_) {
      wake_ = std::move(wake);
      return;
    }
  }
  wake();
}

void Follower::settle() {
  const Lock lock(mutex_);
  told_ = false;
}

Result<std::unique_ptr<Followers>> Followers::open() {
  auto watch = TRY(DirectoryWatch::open());
  std::unique_ptr<Followers> followers(new Followers(std::move(watch)));
  followers->lookout_ = TRY(Lookout::start());
  TRY(followers->lookout_->watch(followers->watch_.descriptor(), [raw = followers.get()] { raw->readNews(); }));
  return followers;
}

Result<> Followers::add(const std::string& file, const object::Key& pod, const std::shared_ptr<Follower>& follower) {
  const std::filesystem::path path(file);
  {
    const Lock lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) { return entry.follower.expired(); });
    entries_.push_back({path.parent_path(), path.filename(), pod, follower});
  }
  return watch_.add(path.parent_path());
}

void Followers::podChanged(const object::Key& pod) {
  tellThose([&](const Entry& entry) { return entry.pod == pod; });
}

void Followers::readNews() {
  for (const DirectoryWatch::Change& change : watch_.take())
    tellThose([&](const Entry& entry) {
      return entry.directory == change.directory && (change.file.empty() || entry.file == change.file);
    });
}

template <class Concerns>
void Followers::tellThose(Concerns concerns) {
  std::vector<std::shared_ptr<Follower>> concerned;
  {
    const Lock lock(mutex_);
    for (const Entry& entry : entries_)
      if (concerns(entry)) concerned.push_back(entry.follower.lock());
  }
  for (const auto& follower : concerned)
    if (follower) follower->tell();
}

}  // namespace godwit::node::logs
