#include "apiserver/objects.hpp"

#include <fmt/format.h>

#include "apiserver/metadata.hpp"
#include "apiserver/status.hpp"
#include "apiserver/stored.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

// A lost race means that another write succeeded, so only a storm of writes to one object gets here.
constexpr int kAttempts = 100;
constexpr int kNamesToTry = 8;

store::Value shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// A conflict or absence that the store reports while a write is under way: somebody else was faster.
bool lostRace(const Error& error) { return error.code == Code::Conflict || error.code == Code::NotFound; }

Result<> ensureSeenVersion(const Resource& resource, const Document& current, const Document& proposed) {
  const Subject subject = subjectOf(resource.kind(), object::textAt(current, {"metadata", "name"}));
  const std::string seen = object::textAt(proposed, {"metadata", "resourceVersion"});
  if (!seen.empty() && seen != "0" && seen != object::textAt(current, {"metadata", "resourceVersion"}))
    return fail(modifiedMeanwhile(subject));
  const std::string uid = object::textAt(proposed, {"metadata", "uid"});
  const std::string uidNow = object::textAt(current, {"metadata", "uid"});
  if (!uid.empty() && uid != uidNow)
    return fail(Code::Conflict, fmt::format("Operation cannot be fulfilled on {} \"{}\": Precondition failed: UID in "
                                            "precondition: {}, UID in object meta: {}",
                                            qualified(subject.plural, subject.group), subject.name, uid, uidNow));
  return {};
}

Result<> ensureSameKey(const Document& current, const Document& proposed) {
  for (const std::string_view member : {"name", "namespace"}) {
    const std::string is = object::textAt(current, {"metadata", member});
    const std::string sent = object::textAt(proposed, {"metadata", member});
    if (!sent.empty() && sent != is)
      return fail(badRequest(
          fmt::format("the {0} of the object ({1}) does not match the {0} on the URL ({2})", member, sent, is)));
  }
  return {};
}

Result<> ensureNew(const Document& document, std::string_view nameSpace) {
  if (!object::textAt(document, {"metadata", "resourceVersion"}).empty())
    return fail(badRequest("resourceVersion should not be set on objects to be created"));
  const std::string sent = object::textAt(document, {"metadata", "namespace"});
  if (!sent.empty() && sent != nameSpace)
    return fail(badRequest("the namespace of the provided object does not match the namespace sent on the request"));
  return {};
}

// Fills in defaults. A status that is not the creator's to write begins with its defaults alone.
void prepareContent(const Resource& resource, Document& document, Part part) {
  const bool bareStatus = resource.kind().hasStatus && part == Part::Main;
  if (bareStatus) document["status"] = json::object();
  resource.definition.applyDefaults(document);
  if (bareStatus && document["status"] == json::object()) document.erase("status");
}

void copyStatus(const Document& from, Document& to) {
  if (const json::value* status = from.if_contains("status"))
    to["status"] = *status;
  else
    to.erase("status");
}

// Leaves of a proposal only what the part allows.
Document limitedTo(Part part, const schema::Kind& kind, const Document& current, Document proposed) {
  switch (part) {
    case Part::Main:
      if (kind.hasStatus) copyStatus(current, proposed);
      return proposed;
    case Part::Status: {
      Document kept = current;
      copyStatus(proposed, kept);
      return kept;
    }
    case Part::Whole:
      return proposed;
  }
  __builtin_unreachable();
}

struct Settled {
  Document document;
  std::vector<std::string> warnings;
};

// What may be kept of a proposal, by all the rules.
Result<Settled> settle(const Resource& resource, const Document& current, Document proposed,
                       const WriteOptions& options) {
  TRY(ensureTyped(resource, proposed));
  TRY(ensureSeenVersion(resource, current, proposed));
  TRY(ensureSameKey(current, proposed));
  proposed = limitedTo(options.part, resource.kind(), current, std::move(proposed));
  keepIdentity(current, proposed);
  resource.definition.applyDefaults(proposed);
  bumpGeneration(resource.kind(), current, proposed);
  std::vector<std::string> warnings = TRY(validate(resource, &current, proposed, options.fieldValidation));
  return Settled{std::move(proposed), std::move(warnings)};
}

Result<> checkPreconditions(const Subject& subject, const Document& current, const DeleteOptions& options) {
  const auto refuseFor = [&](std::string_view what, std::string_view asked, std::string_view is) {
    return fail(
        Code::Conflict,
        fmt::format("Operation cannot be fulfilled on {} \"{}\": the {} in the precondition ({}) does not match "
                    "the {} in record ({}). The object might have been {}",
                    qualified(subject.kind, subject.group), subject.name, what, asked, what, is,
                    what == "UID" ? "deleted and then recreated" : "modified"));
  };
  const std::string uid = object::textAt(current, {"metadata", "uid"});
  if (options.uid && *options.uid != uid) return refuseFor("UID", *options.uid, uid);
  const std::string version = object::textAt(current, {"metadata", "resourceVersion"});
  if (options.resourceVersion && *options.resourceVersion != version)
    return refuseFor("ResourceVersion", *options.resourceVersion, version);
  return {};
}

}  // namespace

Result<store::Entry> Objects::read(const Resource& resource, const object::Key& key) {
  auto entry = store_.get(resource.storeKey(key));
  if (!entry && entry.error().code == Code::NotFound) return fail(notFound(subjectOf(resource.kind(), key.name)));
  return entry;
}

Result<Document> Objects::get(const Resource& resource, const object::Key& key) {
  const store::Entry entry = TRY(read(resource, key));
  return opened(*entry.value, entry.revision);
}

Result<Written> Objects::create(const Resource& resource, std::string_view nameSpace, Document document,
                                const WriteOptions& options) {
  TRY(ensureTyped(resource, document));
  TRY(ensureNew(document, nameSpace));
  prepareContent(resource, document, options.part);
  if (const auto rules = completions_.find(&resource); rules != completions_.end())
    for (const Completion& complete : rules->second) complete(document);
  const std::string name = object::textAt(document, {"metadata", "name"});
  const std::string stem = object::textAt(document, {"metadata", "generateName"});
  const bool generated = name.empty() && !stem.empty();
  for (int attempt = 1;; ++attempt) {
    const object::Key key = {std::string(nameSpace), generated ? stem + nameSuffix(random_) : name};
    initialise(document, key, clock_.now(), random_);
    auto written = add(resource, key, document, options);
    const bool taken = !written && written.error().code == Code::AlreadyExists;
    if (!taken || !generated || attempt == kNamesToTry) return written;
  }
}

Result<Written> Objects::add(const Resource& resource, const object::Key& key, const Document& document,
                             const WriteOptions& options) {
  Written written = {.created = true};
  written.warnings = TRY(validate(resource, nullptr, document, options.fieldValidation));
  TRY(admit(resource, {}, document));
  written.stored = shared(sealed(document));
  const std::string storeKey = resource.storeKey(key);
  if (options.dryRun) {
    if (store_.get(storeKey)) return fail(alreadyExists(subjectOf(resource.kind(), key.name)));
    return written;
  }
  const auto revision = store_.create(storeKey, *written.stored);
  if (!revision && revision.error().code == Code::AlreadyExists)
    return fail(alreadyExists(subjectOf(resource.kind(), key.name)));
  written.revision = TRY(revision);
  return written;
}

Result<Written> Objects::modify(const Resource& resource, const object::Key& key, const Change& change,
                                const WriteOptions& options) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const store::Entry entry = TRY(read(resource, key));
    const Document current = TRY(opened(*entry.value, entry.revision));
    Document proposed = TRY(change(current));
    Settled settled = TRY(settle(resource, current, std::move(proposed), options));
    TRY(admit(resource, current, settled.document));
    auto written = keep(entry, current, settled.document, options.dryRun);
    if (!written && lostRace(written.error())) continue;
    if (written) written->warnings = std::move(settled.warnings);
    return written;
  }
  return fail(modifiedMeanwhile(subjectOf(resource.kind(), key.name)));
}

Result<> Objects::admit(const Resource& resource, const Document& before, const Document& after) const {
  const auto rules = admissions_.find(&resource);
  if (rules != admissions_.end())
    for (const Admission& rule : rules->second) TRY(rule(before, after));
  return {};
}

Result<Written> Objects::keep(const store::Entry& entry, const Document& current, const Document& settled,
                              bool dryRun) {
  if (settled == current) return Written{entry.value, entry.revision};
  Written written = {shared(sealed(settled)), entry.revision};
  written.gone = mayGo(settled);
  if (dryRun) return written;
  if (written.gone)
    TRY(store_.remove(entry.key, entry.revision));
  else
    written.revision = TRY(store_.replace(entry.key, *written.stored, entry.revision));
  return written;
}

Result<Written> Objects::remove(const Resource& resource, const object::Key& key, const DeleteOptions& options) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const store::Entry entry = TRY(read(resource, key));
    const Document current = TRY(opened(*entry.value, entry.revision));
    TRY(checkPreconditions(subjectOf(resource.kind(), key.name), current, options));
    const std::int64_t grace = gracePeriod_ ? gracePeriod_(resource.kind(), current, options.gracePeriodSeconds) : 0;
    Document marked = current;
    markForDeletion(marked, clock_.now(), grace);
    auto written = keep(entry, current, marked, options.dryRun);
    if (!written && lostRace(written.error())) continue;
    if (written && written->gone) written->stored = entry.value;
    return written;
  }
  return fail(modifiedMeanwhile(subjectOf(resource.kind(), key.name)));
}

}  // namespace godwit::apiserver
