#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "object/yaml.hpp"
#include "object/yaml_scalar.hpp"

namespace godwit::object {
namespace {

constexpr std::size_t kMostBytes = 8 << 20;
constexpr std::size_t kDeepest = 128;
// What all documents may come to when aliases are written out; a few lines of YAML could
// otherwise fill the memory.
constexpr std::size_t kMostExpandedBytes = 64 << 20;
constexpr std::size_t kBytesPerNode = 32;

class Converter {
 public:
  Result<json::value> convert(const YAML::Node& node, std::size_t depth = 0) {
    if (depth > kDeepest) return refuse(node, "nested too deeply");
    TRY(spend(node, kBytesPerNode + (node.IsScalar() ? node.Scalar().size() : 0)));
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
        return json::value(nullptr);
      case YAML::NodeType::Null:
        return json::value(nullptr);
      case YAML::NodeType::Scalar:
        return scalar(node);
      case YAML::NodeType::Sequence:
        return sequence(node, depth);
      case YAML::NodeType::Map:
        return map(node, depth);
    }
    __builtin_unreachable();
  }

 private:
  static Failure refuse(const YAML::Node& node, std::string_view why) {
    return fail(Code::Invalid, fmt::format("cannot read YAML: line {}: {}", node.Mark().line + 1, why));
  }

  Result<> spend(const YAML::Node& node, std::size_t bytes) {
    spent_ += bytes;
    if (spent_ > kMostExpandedBytes) return refuse(node, "aliases make it too large");
    return {};
  }

  static Result<json::value> scalar(const YAML::Node& node) {
    const std::string& tag = node.Tag();
    // A scalar without quotes or tag has the tag "?".
    const bool isPlain = tag.empty() || tag == "?" || tag == "tag:yaml.org,2002:int" ||
                         tag == "tag:yaml.org,2002:float" || tag == "tag:yaml.org,2002:bool" ||
                         tag == "tag:yaml.org,2002:null";
    if (!isPlain) return json::value(node.Scalar());
    auto value = plainScalar(node.Scalar());
    if (!value) return refuse(node, value.error().message);
    return value;
  }

  Result<json::value> sequence(const YAML::Node& node, std::size_t depth) {
    json::array array;
    for (const YAML::Node& element : node) array.push_back(TRY(convert(element, depth + 1)));
    return json::value(std::move(array));
  }

  Result<json::value> map(const YAML::Node& node, std::size_t depth) {
    json::object object;
    json::object inherited;
    for (const auto& member : node) {
      if (!member.first.IsScalar()) return refuse(member.first, "a key must be a text");
      const std::string& key = member.first.Scalar();
      TRY(spend(member.first, key.size()));
      json::value value = TRY(convert(member.second, depth + 1));
      if (key == "<<" && member.first.Tag() == "?") {
        TRY(inherit(member.second, std::move(value), inherited));
      } else if (!object.emplace(key, std::move(value)).second) {
        return refuse(member.first, fmt::format("key \"{}\" is given twice", key));
      }
    }
    for (auto& [key, value] : inherited) object.emplace(key, std::move(value));
    return json::value(std::move(object));
  }

  // "<<: *a" or "<<: [*a, *b]": members that stand in unless the map has its own; earlier ones win.
  static Result<> inherit(const YAML::Node& node, json::value from, json::object& inherited) {
    if (auto* object = from.if_object()) {
      for (auto& [key, value] : *object) inherited.emplace(key, std::move(value));
      return {};
    }
    if (!from.is_array()) return refuse(node, "only maps can be merged");
    for (json::value& element : from.get_array()) {
      if (!element.is_object()) return refuse(node, "only maps can be merged");
      for (auto& [key, value] : element.get_object()) inherited.emplace(key, std::move(value));
    }
    return {};
  }

  std::size_t spent_ = 0;
};

}  // namespace

Result<std::vector<json::value>> parseYaml(std::string_view text) {
  if (text.size() > kMostBytes) return fail(Code::Invalid, "cannot read YAML: the text is too long");
  try {
    Converter converter;
    std::vector<json::value> documents;
    for (const YAML::Node& node : YAML::LoadAll(std::string(text)))
      if (node.IsDefined() && !node.IsNull()) documents.push_back(TRY(converter.convert(node)));
    return documents;
  } catch (const YAML::Exception& error) {
    return fail(Code::Invalid, fmt::format("cannot read YAML: line {}: {}", error.mark.line + 1, error.msg));
  }
}

}  // namespace godwit::object
