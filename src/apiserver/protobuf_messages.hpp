#pragma once

#include <span>
#include <string_view>

namespace godwit::apiserver {

enum class WireType { Text, Bytes, Integer, Boolean, Time, Message, TextMap, BytesMap };

// A field of a Kubernetes message. Messages name their fields by these numbers for all time.
struct WireField {
  unsigned number;
  std::string_view name;
  WireType type = WireType::Text;
  std::string_view message = {};  // of WireType::Message
  bool repeated = false;
  bool optional = false;  // a pointer in Go: a zero that is there was meant
};

struct WireMessage {
  std::string_view name;
  std::span<const WireField> fields;
};

// Null when it is not known.
const WireMessage* findMessage(std::string_view name);

}  // namespace godwit::apiserver
