#include <algorithm>

#include <fmt/format.h>

#include "object/yaml.hpp"
#include "object/yaml_scalar.hpp"

namespace godwit::object {
namespace {

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Dates and base-60 numbers, which other readers of YAML 1.1 take for more than text.
bool looksLikeADateOrTime(std::string_view text) { return text.find_first_not_of("0123456789-+:._TZ ") == text.npos; }

// Whether the text, without quotes, is read back as itself.
bool isPlain(std::string_view text) {
  static constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`=<";
  if (text.empty() || kIndicators.find(text.front()) != kIndicators.npos) return false;
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::any_of(text.begin(), text.end(), isControl)) return false;
  if (text.find(": ") != text.npos || text.find(" #") != text.npos) return false;
  if (looksLikeADateOrTime(text)) return false;
  const auto read = plainScalar(text);
  return read && read->is_string();
}

// Whether a literal block can carry it without an indicator for its indentation.
bool fitsALiteral(std::string_view text) {
  return text.find('\n') != text.npos && text.front() != ' ' && text.front() != '\n' &&
         std::none_of(text.begin(), text.end(), [](char c) { return c != '\n' && isControl(c); });
}

class Writer {
 public:
  // The line is already indented to `indent`.
  void block(const json::value& value, std::size_t indent) {
    if (value.is_object() && !value.get_object().empty()) return map(value.get_object(), indent);
    if (value.is_array() && !value.get_array().empty()) return sequence(value.get_array(), indent);
    scalar(value, indent);
  }

  std::string take() { return std::move(text_); }

 private:
  void startLine(std::size_t indent) {
    if (!text_.empty() && text_.back() == '\n') text_.append(indent, ' ');
  }

  void map(const json::object& object, std::size_t indent) {
    for (const auto& [key, value] : object) {
      startLine(indent);
      text_ += isPlain(key) ? std::string(key) : json::serialize(json::value(key));
      text_ += ':';
      const bool isMap = value.is_object() && !value.get_object().empty();
      const bool isSequence = value.is_array() && !value.get_array().empty();
      text_ += isMap || isSequence ? '\n' : ' ';
      // Sequences stand under their key without further indentation, as kubectl writes them.
      block(value, isSequence ? indent : indent + 2);
    }
  }

  void sequence(const json::array& array, std::size_t indent) {
    for (const json::value& element : array) {
      startLine(indent);
      text_ += "- ";
      block(element, indent + 2);
    }
  }

  void scalar(const json::value& value, std::size_t indent) {
    if (const auto* string = value.if_string()) {
      if (fitsALiteral(*string)) return literal(*string, std::max<std::size_t>(indent, 2));
      text_ += isPlain(*string) ? std::string(*string) : json::serialize(value);
    } else if (const auto* number = value.if_double()) {
      text_ += floating(*number);
    } else {
      text_ += json::serialize(value);
    }
    text_ += '\n';
  }

  static std::string floating(double number) {
    std::string text = fmt::format("{}", number);
    if (text.find_first_of(".e") == text.npos) text += ".0";
    return text;
  }

  void literal(std::string_view text, std::size_t indent) {
    if (!text.ends_with('\n')) {
      text_ += "|-\n";
    } else {
      text_ += text.ends_with("\n\n") ? "|+\n" : "|\n";
      text.remove_suffix(1);
    }
    for (;;) {
      const auto line = text.substr(0, text.find('\n'));
      if (!line.empty()) text_.append(indent, ' ') += line;
      text_ += '\n';
      if (line.size() == text.size()) return;
      text.remove_prefix(line.size() + 1);
    }
  }

  std::string text_;
};

}  // namespace

std::string writeYaml(const json::value& value) {
  Writer writer;
  writer.block(value, 0);
  return writer.take();
}

}  // namespace godwit::object
