#include "cli/rollback.hpp"

#include <fmt/format.h>

#include "cli/follow.hpp"

namespace godwit::cli {
namespace {

using kinds::VolumeMigration;

Result<VolumeMigration> unlessOver(VolumeMigration wish) {
  if (!kinds::isFinal(wish.status.phase)) return wish;
  const auto& extra = wish.status.godwit;
  return fail(
      Code::Conflict,
      fmt::format("volume migration {} is over ({}{}{}); to go back, make another one from its destinations to "
                  "its sources, if these are still there",
                  object::show(wish.metadata.key()), extra.reason, extra.message.empty() ? "" : ": ", extra.message));
}

}  // namespace

Result<VolumeMigration> findRollBack(const client::Client& client, const object::Key& name) {
  if (auto named = TRY(client.find<VolumeMigration>(name))) return unlessOver(std::move(*named));
  for (const auto& document : TRY(client.list(schema::kind<VolumeMigration>,
                                              {.nameSpace = name.nameSpace, .labelSelector = "", .fieldSelector = ""}))
                                  .items) {
    auto wish = schema::view<VolumeMigration>(json::value(document));
    if (wish.status.virtualMachineInstanceName == name.name && !kinds::isFinal(wish.status.phase)) return wish;
  }
  return fail(Code::NotFound,
              fmt::format("there is no volume migration {}, nor one under way of a VM of that name; `kubectl get "
                          "volumemigrations -A` lists those that there are",
                          object::show(name)));
}

Result<> askToRollBack(const client::Client& client, const VolumeMigration& wish) {
  auto after = wish;
  after.spec.rollBack = true;
  TRY(client.change(wish, after, client::Unless::Never));
  return {};
}

Result<VolumeMigration> followRollBack(const client::Client& client, const object::Key& wish, Duration patience,
                                       std::stop_token stop) {
  client::Cache<VolumeMigration> wishes(
      client, {.nameSpace = wish.nameSpace, .labelSelector = "", .fieldSelector = "metadata.name=" + wish.name});
  std::shared_ptr<const VolumeMigration> last;
  const auto look = [&] {
    last = wishes.get(wish);
    return !last || kinds::isFinal(last->status.phase);
  };
  const Following following = follow(wishes, patience, look, stop);
  if (following == Following::Done && last) return *last;
  if (following == Following::Done)
    return fail(Code::Conflict, fmt::format("volume migration {} was deleted before its end", object::show(wish)));
  return fail(Code::Unavailable, fmt::format("volume migration {} has not ended yet; the guest goes back as soon as "
                                             "its sources are equal",
                                             object::show(wish)));
}

}  // namespace godwit::cli
