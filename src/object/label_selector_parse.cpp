#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "object/selector.hpp"

namespace godwit::object {
namespace {

using Operator = Requirement::Operator;

bool isAlphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// 1 to 63 characters, with letters or digits at both ends.
bool isName(std::string_view text) {
  const auto allowed = [](char c) { return isAlphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  return !text.empty() && text.size() <= 63 && isAlphanumeric(text.front()) && isAlphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(), allowed);
}

// One label of a DNS name, in lower case.
bool isDnsLabel(std::string_view text) {
  const auto allowed = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-'; };
  return !text.empty() && text.front() != '-' && text.back() != '-' && std::all_of(text.begin(), text.end(), allowed);
}

bool isDnsName(std::string_view text) {
  if (text.size() > 253) return false;
  for (;;) {
    const auto dot = text.find('.');
    if (!isDnsLabel(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool isLabelKey(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == key.npos) return isName(key);
  return isDnsName(key.substr(0, slash)) && isName(key.substr(slash + 1));
}

bool isLabelValue(std::string_view value) { return value.empty() || isName(value); }

bool isInteger(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

// Reads one requirement after the other; a token is a word or a piece of punctuation.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), rest_(text) {}

  Result<std::vector<Requirement>> all() {
    std::vector<Requirement> requirements;
    if (peek().empty()) return requirements;
    do requirements.push_back(TRY(requirement()));
    while (take(","));
    if (!peek().empty()) return unexpected("',' or the end");
    return requirements;
  }

 private:
  static constexpr std::string_view kPunctuation = "=!(),<>";
  static constexpr std::string_view kSpace = " \t\r\n";

  // The next token, empty at the end.
  std::string_view peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
    for (const std::string_view pair : {"==", "!="})
      if (rest_.starts_with(pair)) return pair;
    if (!rest_.empty() && kPunctuation.find(rest_.front()) != kPunctuation.npos) return rest_.substr(0, 1);
    return rest_.substr(0, rest_.find_first_of("=!(),<> \t\r\n"));
  }

  bool take(std::string_view token) {
    if (peek() != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool atWord() {
    const auto token = peek();
    return !token.empty() && kPunctuation.find(token.front()) == kPunctuation.npos;
  }

  std::string word() {
    const auto token = peek();
    rest_.remove_prefix(token.size());
    return std::string(token);
  }

  Failure unexpected(std::string_view wanted) {
    return fail(Code::Invalid,
                fmt::format("unable to parse requirement in \"{}\": found '{}', expected: {}", text_, peek(), wanted));
  }

  Failure refuse(std::string_view what) {
    return fail(Code::Invalid, fmt::format("unable to parse requirement in \"{}\": {}", text_, what));
  }

  Result<std::string> key() {
    if (!atWord()) return unexpected("a label key");
    std::string name = word();
    if (!isLabelKey(name)) return refuse(fmt::format("'{}' is no label key", name));
    return name;
  }

  Result<Requirement> requirement() {
    const bool absent = take("!");
    std::string name = TRY(key());
    if (absent) return Requirement{std::move(name), Operator::DoesNotExist, {}};
    if (peek().empty() || peek() == ",") return Requirement{std::move(name), Operator::Exists, {}};
    const bool fromSet = peek() == "in" || peek() == "notin";
    const Operator op = TRY(operatorToken());
    std::vector<std::string> values;
    if (fromSet)
      values = TRY(valueSet());
    else
      values.push_back(TRY(value()));
    if ((op == Operator::Gt || op == Operator::Lt) && !isInteger(values.front()))
      return refuse(fmt::format("'{}' is no integer", values.front()));
    return Requirement{std::move(name), op, std::move(values)};
  }

  Result<Operator> operatorToken() {
    if (take("=") || take("==")) return Operator::In;
    if (take("!=")) return Operator::NotIn;
    if (take(">")) return Operator::Gt;
    if (take("<")) return Operator::Lt;
    if (take("in")) return Operator::In;
    if (take("notin")) return Operator::NotIn;
    return unexpected("in, notin, =, ==, !=, > or <");
  }

  // A word, or nothing where a value could be: "a=" asks for an empty one.
  Result<std::string> value() {
    if (!atWord() && !peek().empty() && peek() != "," && peek() != ")") return unexpected("a label value");
    std::string text = atWord() ? word() : std::string();
    if (!isLabelValue(text)) return refuse(fmt::format("'{}' is no label value", text));
    return text;
  }

  Result<std::vector<std::string>> valueSet() {
    if (!take("(")) return unexpected("'('");
    if (peek() == ")") return refuse("a set of values cannot be empty");
    std::vector<std::string> values;
    do values.push_back(TRY(value()));
    while (take(","));
    if (!take(")")) return unexpected("',' or ')'");
    return values;
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

Result<LabelSelector> LabelSelector::parse(std::string_view text) {
  LabelSelector selector;
  selector.requirements_ = TRY(Reader(text).all());
  return selector;
}

}  // namespace godwit::object
