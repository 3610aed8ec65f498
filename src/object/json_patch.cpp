#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "object/patch.hpp"

namespace godwit::object {
namespace {

// The limits of the Kubernetes API server: `copy` could else double a document with every operation.
constexpr std::size_t kMostOperations = 10'000;
constexpr std::size_t kMostCopiedBytes = 3 << 20;

// Member names and array indices from the root on.
using Path = std::vector<std::string>;
using Steps = std::span<const std::string>;

Result<std::string> unescapeStep(std::string_view step) {
  std::string plain;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] != '~') {
      plain += step[i];
      continue;
    }
    const char escaped = ++i < step.size() ? step[i] : '\0';
    if (escaped != '0' && escaped != '1') return fail(Code::Invalid, fmt::format("bad escape in \"{}\"", step));
    plain += escaped == '0' ? '~' : '/';
  }
  return plain;
}

// RFC 6901.
Result<Path> parsePointer(std::string_view pointer) {
  Path path;
  if (pointer.empty()) return path;
  if (pointer.front() != '/') return fail(Code::Invalid, fmt::format("path \"{}\" does not start with /", pointer));
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const auto step = pointer.substr(0, pointer.find('/'));
    path.push_back(TRY(unescapeStep(step)));
    pointer.remove_prefix(step.size());
  }
  return path;
}

Failure missing(std::string_view step) { return fail(Code::Conflict, fmt::format("there is no \"{}\"", step)); }

// A place in an array with `size` places.
Result<std::size_t> indexOf(std::string_view step, std::size_t size) {
  std::size_t index = 0;
  const char* end = step.data() + step.size();
  const auto [stopped, error] = std::from_chars(step.data(), end, index);
  const bool leadingZero = step.size() > 1 && step.front() == '0';
  if (error != std::errc() || stopped != end || leadingZero)
    return fail(Code::Invalid, fmt::format("\"{}\" is no array index", step));
  if (index >= size) return missing(step);
  return index;
}

Result<json::value*> stepInto(json::value& within, const std::string& step) {
  if (auto* object = within.if_object()) {
    if (auto* found = object->if_contains(step)) return found;
  } else if (auto* array = within.if_array()) {
    return &(*array)[TRY(indexOf(step, array->size()))];
  }
  return missing(step);
}

Result<json::value*> locate(json::value& root, Steps path) {
  json::value* at = &root;
  for (const std::string& step : path) at = TRY(stepInto(*at, step));
  return at;
}

Result<> add(json::value& root, Steps path, json::value value) {
  if (path.empty()) {
    root = std::move(value);
    return {};
  }
  json::value& parent = *TRY(locate(root, path.first(path.size() - 1)));
  const std::string& step = path.back();
  if (auto* object = parent.if_object()) {
    (*object)[step] = std::move(value);
    return {};
  }
  auto* array = parent.if_array();
  if (!array) return missing(step);
  const std::size_t index = step == "-" ? array->size() : TRY(indexOf(step, array->size() + 1));
  array->insert(array->begin() + index, std::move(value));
  return {};
}

Result<json::value> take(json::value& root, Steps path) {
  if (path.empty()) return fail(Code::Invalid, "the whole document cannot be removed");
  json::value& parent = *TRY(locate(root, path.first(path.size() - 1)));
  json::value taken = std::move(*TRY(stepInto(parent, path.back())));
  if (auto* object = parent.if_object()) {
    object->erase(path.back());
  } else {
    auto& array = parent.get_array();
    array.erase(array.begin() + TRY(indexOf(path.back(), array.size())));
  }
  return taken;
}

// As RFC 6902 compares: 1 and 1.0 are equal, the order of members does not matter.
bool equal(const json::value& left, const json::value& right) {
  if (left.is_number() && right.is_number())
    return left == right || left.to_number<double>() == right.to_number<double>();
  if (left.is_array() && right.is_array())
    return std::equal(left.get_array().begin(), left.get_array().end(), right.get_array().begin(),
                      right.get_array().end(), equal);
  if (!left.is_object() || !right.is_object()) return left == right;
  const auto& members = left.get_object();
  const auto& others = right.get_object();
  return members.size() == others.size() && std::all_of(members.begin(), members.end(), [&](const auto& member) {
           const json::value* other = others.if_contains(member.key());
           return other && equal(member.value(), *other);
         });
}

// One patch at work on one document.
class Patcher {
 public:
  explicit Patcher(json::value& root) : root_(root) {}

  Result<> apply(const json::value& operation) {
    const auto* members = operation.if_object();
    if (!members) return fail(Code::Invalid, "an operation is not an object");
    const std::string op = TRY(text(*members, "op"));
    const Path path = TRY(pointer(*members, "path"));
    if (op == "remove") return take(root_, path).map([](const auto&) {});
    if (op == "add") return add(root_, path, TRY(value(*members)));
    if (op == "replace") return replace(path, TRY(value(*members)));
    if (op == "test") return test(path, TRY(value(*members)));
    if (op != "move" && op != "copy") return fail(Code::Invalid, fmt::format("unknown op \"{}\"", op));
    const Path from = TRY(pointer(*members, "from"));
    return op == "move" ? move(from, path) : copy(from, path);
  }

 private:
  static Result<std::string> text(const json::object& operation, std::string_view name) {
    const json::value* found = operation.if_contains(name);
    if (!found || !found->is_string()) return fail(Code::Invalid, fmt::format("an operation has no \"{}\"", name));
    return std::string(found->get_string());
  }

  static Result<Path> pointer(const json::object& operation, std::string_view name) {
    return text(operation, name).and_then(parsePointer);
  }

  static Result<json::value> value(const json::object& operation) {
    const json::value* found = operation.if_contains("value");
    if (!found) return fail(Code::Invalid, "an operation has no \"value\"");
    return *found;
  }

  Result<> replace(Steps path, json::value value) {
    *TRY(locate(root_, path)) = std::move(value);
    return {};
  }

  Result<> test(Steps path, const json::value& expected) {
    if (!equal(*TRY(locate(root_, path)), expected)) return fail(Code::Conflict, "the value is another");
    return {};
  }

  Result<> move(Steps from, Steps path) {
    if (from.size() < path.size() && std::equal(from.begin(), from.end(), path.begin()))
      return fail(Code::Invalid, "a value cannot move into itself");
    if (std::equal(from.begin(), from.end(), path.begin(), path.end())) return locate(root_, from).map([](auto) {});
    return add(root_, path, TRY(take(root_, from)));
  }

  Result<> copy(Steps from, Steps path) {
    json::value copied = *TRY(locate(root_, from));
    copiedBytes_ += json::serialize(copied).size();
    if (copiedBytes_ > kMostCopiedBytes) return fail(Code::Invalid, "the patch copies too much");
    return add(root_, path, std::move(copied));
  }

  json::value& root_;
  std::size_t copiedBytes_ = 0;
};

}  // namespace

Result<> applyJsonPatch(json::value& target, const json::value& patch) {
  const auto* operations = patch.if_array();
  if (!operations) return fail(Code::Invalid, "a JSON patch is an array of operations");
  if (operations->size() > kMostOperations) return fail(Code::Invalid, "the patch has too many operations");
  json::value patched = target;
  Patcher patcher(patched);
  for (std::size_t i = 0; i < operations->size(); ++i) {
    const auto applied = patcher.apply((*operations)[i]);
    if (!applied) return fail(within(fmt::format("JSON patch operation {}", i), applied.error()));
  }
  target = std::move(patched);
  return {};
}

}  // namespace godwit::object
