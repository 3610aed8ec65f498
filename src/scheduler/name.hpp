#pragma once

#include <functional>
#include <string>

namespace godwit::scheduler {

// A text that is looked for far more often than it is made: it knows its hash.
class Name {
 public:
  Name() : Name(std::string()) {}
  Name(std::string text) : text_(std::move(text)), hash_(std::hash<std::string>()(text_)) {}
  Name(const char* text) : Name(std::string(text)) {}

  const std::string& text() const { return text_; }
  std::size_t hash() const { return hash_; }

  bool operator==(const Name& other) const { return hash_ == other.hash_ && text_ == other.text_; }

 private:
  std::string text_;
  std::size_t hash_;
};

struct NameHash {
  std::size_t operator()(const Name& name) const { return name.hash(); }
};

}  // namespace godwit::scheduler
