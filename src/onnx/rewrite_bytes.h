// Writes a model's file with changes to some of its fields: unchanged parts are copied byte for
// byte, known or not, and only the lengths of the messages around a change are rewritten.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "onnx/wire.h"
#include "planex/error.h"

namespace planex::onnx {

using ByteSink = std::function<Result<void>(std::string_view piece)>;

// The messages that are entered; all others are fields of these, kept or replaced as a whole.
enum class MessageKind : std::uint8_t { kModel, kGraph, kFunction, kNode, kAttribute, kOther };

struct FieldPlace {
  MessageKind around = MessageKind::kOther;
  std::uint64_t message = 0;  // where the content of that message starts: Node::byte_offset
  const Field& field;
  std::string_view bytes;  // the whole field, with its key
};

enum class Fate : std::uint8_t { kKept, kLeftOut };

// Decides what changes. It is called in the order of the file.
class ByteChanges {
 public:
  virtual ~ByteChanges() = default;
  // What is put into `text`, whole fields, comes before the field, or in its place. Messages that
  // are left out are not entered.
  virtual Result<Fate> at_field(const FieldPlace& place, std::string& text) = 0;
  // What to add at the end of a message.
  virtual Result<void> at_end(MessageKind kind, std::uint64_t message, std::string& text) = 0;
};

// Writes the changed file to `sink`. Errors: kBadInput (damaged), kUnsupported (the result would
// have more than the 2 GB of a protobuf message), those of `sink` and `changes`. Cost: O(nodes and
// attributes) steps, O(changes) memory, and one pass over the file.
Result<void> rewrite_bytes(std::string_view file, ByteChanges& changes, const ByteSink& sink);

}  // namespace planex::onnx
