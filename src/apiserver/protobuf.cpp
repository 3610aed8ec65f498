#include "apiserver/protobuf.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "apiserver/protobuf_messages.hpp"
#include "base/base64.hpp"
#include "base/time_format.hpp"

namespace godwit::apiserver {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "k8s\0"sv;
constexpr int kDeepestMessage = 16;

Failure damaged() { return fail(Code::Invalid, "the protobuf message is damaged"); }

// A field as it stands on the wire: a number for varints and fixed sizes, a text for all else.
struct WireValue {
  unsigned number = 0;
  std::uint64_t integer = 0;
  std::string_view bytes = {};
};

class WireReader {
 public:
  explicit WireReader(std::string_view rest) : rest_(rest) {}

  bool atEnd() const { return rest_.empty(); }

  Result<WireValue> next() {
    const std::uint64_t tag = TRY(varint());
    WireValue value = {.number = static_cast<unsigned>(tag >> 3)};
    switch (tag & 7) {
      case 0:
        value.integer = TRY(varint());
        return value;
      case 1:
        value.bytes = TRY(take(8));
        return value;
      case 2:
        value.integer = TRY(varint());
        value.bytes = TRY(take(value.integer));
        return value;
      case 5:
        value.bytes = TRY(take(4));
        return value;
      default:
        return damaged();
    }
  }

 private:
  Result<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    return damaged();
  }

  Result<std::string_view> take(std::uint64_t length) {
    if (length > rest_.size()) return damaged();
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

Result<json::object> readMessage(const WireMessage& message, std::string_view bytes, int depth);

Result<json::value> readTime(std::string_view bytes) {
  std::int64_t seconds = 0;
  for (WireReader reader(bytes); !reader.atEnd();) {
    const WireValue value = TRY(reader.next());
    if (value.number == 1) seconds = static_cast<std::int64_t>(value.integer);
  }
  if (bytes.empty()) return nullptr;
  return json::value(toRfc3339(Timestamp(std::chrono::seconds(seconds))));
}

Result<> readMapEntry(json::value& map, std::string_view bytes, bool encoded) {
  std::string_view key;
  std::string_view content;
  for (WireReader reader(bytes); !reader.atEnd();) {
    const WireValue value = TRY(reader.next());
    (value.number == 1 ? key : content) = value.bytes;
  }
  if (!map.is_object()) map.emplace_object();
  map.get_object()[key] = encoded ? json::value(encodeBase64(content)) : json::value(content);
  return {};
}

// Null for what means "not set": Go writes empty values, too.
Result<json::value> readValue(const WireField& field, const WireValue& value, int depth) {
  const bool zero = !field.optional && value.integer == 0;
  switch (field.type) {
    case WireType::Text:
      return value.bytes.empty() ? json::value(nullptr) : json::value(value.bytes);
    case WireType::Bytes:
      return json::value(encodeBase64(value.bytes));
    case WireType::Integer:
      return zero ? json::value(nullptr) : json::value(static_cast<std::int64_t>(value.integer));
    case WireType::Boolean:
      return zero ? json::value(nullptr) : json::value(value.integer != 0);
    case WireType::Time:
      return readTime(value.bytes);
    case WireType::Message: {
      const WireMessage* inner = findMessage(field.message);
      ENSURE(inner != nullptr, "the table names only messages that it holds");
      return json::value(TRY(readMessage(*inner, value.bytes, depth + 1)));
    }
    case WireType::TextMap:
    case WireType::BytesMap:
      break;
  }
  return nullptr;
}

Result<> readField(const WireField& field, const WireValue& value, json::object& object, int depth) {
  if (field.type == WireType::TextMap || field.type == WireType::BytesMap)
    return readMapEntry(object[field.name], value.bytes, field.type == WireType::BytesMap);
  json::value read = TRY(readValue(field, value, depth));
  if (read.is_null()) return {};
  if (!field.repeated) {
    object[field.name] = std::move(read);
    return {};
  }
  json::value& list = object[field.name];
  if (!list.is_array()) list.emplace_array();
  list.get_array().push_back(std::move(read));
  return {};
}

Result<json::object> readMessage(const WireMessage& message, std::string_view bytes, int depth) {
  if (depth > kDeepestMessage) return damaged();
  json::object object;
  for (WireReader reader(bytes); !reader.atEnd();) {
    const WireValue value = TRY(reader.next());
    for (const WireField& field : message.fields)
      if (field.number == value.number) TRY(readField(field, value, object, depth));
  }
  return object;
}

// What stands around every object: its type, and its bytes.
struct Envelope {
  std::string_view apiVersion;
  std::string_view kind;
  std::string_view object;
};

Result<Envelope> readEnvelope(std::string_view body) {
  if (!body.starts_with(kMagic)) return damaged();
  Envelope envelope;
  for (WireReader reader(body.substr(kMagic.size())); !reader.atEnd();) {
    const WireValue value = TRY(reader.next());
    if (value.number == 2) envelope.object = value.bytes;
    if (value.number != 1) continue;
    for (WireReader type(value.bytes); !type.atEnd();) {
      const WireValue word = TRY(type.next());
      (word.number == 1 ? envelope.apiVersion : envelope.kind) = word.bytes;
    }
  }
  return envelope;
}

}  // namespace

Result<object::Document> parseProtobuf(std::string_view body) {
  const Envelope envelope = TRY(readEnvelope(body));
  const WireMessage* message = findMessage(envelope.kind);
  if (message == nullptr)
    return fail(Code::Invalid, fmt::format("{} is not known in its protobuf form, send JSON", envelope.kind));
  object::Document document = {{"apiVersion", envelope.apiVersion}, {"kind", envelope.kind}};
  const json::object content = TRY(readMessage(*message, envelope.object, 0));
  for (const auto& [name, value] : content) document[name] = value;
  return document;
}

}  // namespace godwit::apiserver
