#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.hpp"
#include "apiserver/validation.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "object/document.hpp"
#include "schema/read.hpp"
#include "store/store.hpp"

namespace godwit::apiserver {

// Which part of an object a write may touch. Where the kind has no status subresource, Main is the whole.
enum class Part { Main, Status, Whole };

struct WriteOptions {
  bool dryRun = false;
  FieldValidation fieldValidation = FieldValidation::Warn;
  Part part = Part::Main;
};

struct DeleteOptions {
  std::optional<std::string> uid;
  std::optional<std::string> resourceVersion;
  std::optional<std::int64_t> gracePeriodSeconds;
  bool dryRun = false;
};

// An object as a write left it, or as it was when it went.
struct Written {
  store::Value stored = {};
  store::Revision revision = 0;  // 0 after a dry run of a create
  std::vector<std::string> warnings = {};
  bool created = false;
  bool gone = false;
};

// What an object shall become, given what it is. A resourceVersion in the result, unless it is
// empty or "0", must be that of the current object. May be asked again if somebody else is faster.
using Change = std::function<Result<object::Document>(const object::Document& current)>;

// How many seconds an object may live on after its deletion was asked for, so that whoever runs it can
// end its work; that somebody then deletes it again, with a period of 0. No period: it goes at once.
using GracePeriod =
    std::function<std::int64_t(const schema::Kind&, const object::Document&, std::optional<std::int64_t> askedFor)>;

// Whether an object may become what it is about to, by a rule that its kind's declaration cannot carry because it looks
// at other objects, too. A new one was an empty document before.
using Admission = std::function<Result<>(const object::Document& before, const object::Document& after)>;

// Gives a new object what its author may leave out.
using Completion = std::function<void(object::Document& made)>;

// Reads and writes objects by the rules that hold for all kinds. Safe to use from several threads:
// a write that meets another one starts over from what the other left.
class Objects {
 public:
  Objects(store::Store& store, const Clock& clock, Random& random, GracePeriod gracePeriod = nullptr)
      : store_(store), clock_(clock), random_(random), gracePeriod_(std::move(gracePeriod)) {}

  // Not to be called once there are writes.
  void admitBy(const Resource& resource, Admission rule) { admissions_[&resource].push_back(std::move(rule)); }

  void completeBy(const Resource& resource, Completion rule) { completions_[&resource].push_back(std::move(rule)); }

  Result<store::Entry> read(const Resource& resource, const object::Key& key);
  Result<object::Document> get(const Resource& resource, const object::Key& key);
  // As a view of it; nothing when there is none.
  template <class T>
  Result<std::optional<T>> find(const Resource& resource, const object::Key& key) {
    const auto found = get(resource, key);
    if (found) return std::optional(schema::view<T>(*found));
    if (found.error().code == Code::NotFound) return std::nullopt;
    return fail(found.error());
  }
  Result<Written> create(const Resource& resource, std::string_view nameSpace, object::Document document,
                         const WriteOptions& options);
  Result<Written> modify(const Resource& resource, const object::Key& key, const Change& change,
                         const WriteOptions& options);
  // What has finalizers, or a grace period, is only marked; it goes with the last of them.
  Result<Written> remove(const Resource& resource, const object::Key& key, const DeleteOptions& options);

 private:
  Result<Written> add(const Resource& resource, const object::Key& key, const object::Document& document,
                      const WriteOptions& options);
  Result<> admit(const Resource& resource, const object::Document& before, const object::Document& after) const;
  Result<Written> keep(const store::Entry& entry, const object::Document& current, const object::Document& settled,
                       bool dryRun);

  store::Store& store_;
  const Clock& clock_;
  Random& random_;
  GracePeriod gracePeriod_;
  std::map<const Resource*, std::vector<Admission>> admissions_;
  std::map<const Resource*, std::vector<Completion>> completions_;
};

}  // namespace godwit::apiserver
