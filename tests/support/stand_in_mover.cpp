#include <poll.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "base/directory_watch.hpp"
#include "base/file_lock.hpp"
#include "base/papers.hpp"
#include "mover/journal.hpp"

namespace {

using namespace godwit;

void waitFor(const std::string& file, DirectoryWatch& watch) {
  while (!std::filesystem::exists(file)) {
    pollfd news{.fd = watch.descriptor(), .events = POLLIN, .revents = 0};
    poll(&news, 1, -1);
    watch.take();
  }
}

// Takes down what it is told of a move to come, among its papers.
std::string hearOfMove() {
  std::string directory;
  std::string hints;
  std::getline(std::cin, directory);
  for (std::string hint; std::getline(std::cin, hint);) hints += hint + "\n";
  if (std::filesystem::exists(Papers{directory}.orders())) std::ofstream(directory + "/hints") << hints;
  return directory;
}

}  // namespace

// stand_in_mover mover --directory D: keeps the manners of a mover, and moves nothing. It lives until
// it is told to give up, and then says so; where there is a file "linger" it stays until there is one "leave".
// stand_in_mover mover --source URI: waits to be told of a move.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const Papers papers{std::string(argv[2]) == "--source" ? hearOfMove() : argv[3]};
  if (!std::filesystem::exists(papers.orders())) return 0;
  auto lock = FileLock::take(papers.lock());
  if (!lock || !*lock) return 0;
  auto watch = DirectoryWatch::open();
  auto journal = mover::FileJournal::open(papers.journal());
  if (!watch || !journal || !watch->add(papers.directory)) return 2;
  if (!journal->append({mover::Stage::Copying, "Begun", ""})) return 2;
  waitFor(papers.cancel(), *watch);
  if (!journal->append({mover::Stage::NotMoved, "Cancelled", ""})) return 2;
  lock->reset();
  if (std::filesystem::exists(papers.directory + "/linger")) waitFor(papers.directory + "/leave", *watch);
  return 1;
}
