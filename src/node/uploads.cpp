#include "node/uploads.hpp"

#include <fmt/format.h>

#include "http/stream.hpp"

namespace godwit::node {
namespace {

Result<> checkFree(const std::string& name, const Importers::State& importer) {
  const bool converting = importer.progress && importer.progress->stage == importer::Stage::Converting;
  if (importer.verdict || converting)
    return fail(Code::Conflict, fmt::format("pod {} has got its image already", name));
  return {};
}

Result<> pass(http::Stream& body, const importer::Sender& sender) {
  for (;;) {
    const http::Stream::Taken taken = http::awaitNext(body);
    for (const http::Chunk& chunk : taken.chunks) TRY(sender.send(*chunk));
    if (taken.broken) return fail(Code::Unavailable, "the upload has broken off; send it again");
    if (taken.ended) return sender.finish();
  }
}

}  // namespace

Result<> Uploads::take(const object::Key& key, std::int64_t bytes, http::Stream& body) {
  const auto pod = findPod_(key);
  if (!pod) return fail(Code::NotFound, fmt::format("pod {} is not on this node", object::show(key)));
  const std::string& uid = pod->metadata.uid;
  TRY(begin(uid));
  const auto passed = [&]() -> Result<> {
    TRY(checkFree(key.name, TRY(importers_.state(uid))));
    return pass(body, TRY(importers_.reach(uid, bytes)));
  }();
  end(uid);
  return passed;
}

Result<> Uploads::begin(const std::string& uid) {
  const Lock lock(mutex_);
  if (underWay_.contains(uid)) return fail(Code::Conflict, "another upload to it is under way");
  if (underWay_.size() >= kMostAtOnce)
    return fail(Code::Unavailable, fmt::format("the node takes no more than {} uploads at a time", kMostAtOnce));
  underWay_.insert(uid);
  return {};
}

void Uploads::end(const std::string& uid) {
  const Lock lock(mutex_);
  underWay_.erase(uid);
}

}  // namespace godwit::node
