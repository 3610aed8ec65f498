#include <poll.h>

#include <filesystem>

#include "base/directory_watch.hpp"
#include "base/file_lock.hpp"
#include "base/papers.hpp"
#include "mover/journal.hpp"

// stand_in_mover mover --directory D: keeps the manners of a mover, and moves nothing. It lives until
// it is told to give up, and then says so.
int main(int argc, char** argv) {
  using namespace godwit;
  if (argc != 4) return 2;
  const Papers papers{argv[3]};
  const auto lock = FileLock::take(papers.lock());
  if (!lock || !*lock) return 0;
  auto watch = DirectoryWatch::open();
  auto journal = mover::FileJournal::open(papers.journal());
  if (!watch || !journal || !watch->add(papers.directory)) return 2;
  if (!journal->append({mover::Stage::Copying, "Begun", ""})) return 2;
  while (!std::filesystem::exists(papers.cancel())) {
    pollfd news{.fd = watch->descriptor(), .events = POLLIN, .revents = 0};
    poll(&news, 1, -1);
    watch->take();
  }
  return journal->append({mover::Stage::NotMoved, "Cancelled", ""}) ? 1 : 2;
}
