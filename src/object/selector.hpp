#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "object/document.hpp"

namespace godwit::object {

using Labels = std::map<std::string, std::string>;

struct Requirement {
  enum class Operator { In, NotIn, Exists, DoesNotExist, Gt, Lt };
  std::string key;
  Operator op = Operator::In;
  std::vector<std::string> values;

  bool operator==(const Requirement&) const = default;
};

// Whether labels meet the requirement, as Kubernetes judges node selectors: NotIn holds
// for an absent key; Gt and Lt compare integers.
bool matches(const Requirement& requirement, const Labels& labels);

// All requirements must hold; an empty selector matches everything.
class LabelSelector {
 public:
  // "a=b,c!=d,e in (f,g),h,!i". Code::Invalid names what could not be read.
  static Result<LabelSelector> parse(std::string_view text);

  bool matches(const Labels& labels) const;
  bool empty() const { return requirements_.empty(); }

 private:
  std::vector<Requirement> requirements_;
};

// "metadata.name=x,spec.nodeName!=y": equality on a path of member names.
class FieldSelector {
 public:
  static Result<FieldSelector> parse(std::string_view text);

  bool matches(const Document& document) const;
  bool empty() const { return terms_.empty(); }
  // The paths it asks for, so that a server can refuse those it does not serve.
  std::vector<std::string> paths() const;

 private:
  struct Term {
    std::string path;
    std::string value;
    bool equal = true;
  };
  std::vector<Term> terms_;
};

Labels labelsOf(const Document& document);

// The value under a key of labels or annotations; empty when there is none.
std::string valueOf(const Labels& labels, std::string_view key);

}  // namespace godwit::object
