#include "onnx/metadata.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "onnx/fields.h"
#include "onnx/read.h"
#include "onnx/wire.h"

namespace planex::onnx {
namespace {

enum class Kind : std::uint8_t { kModel, kGraph, kFunction, kNode, kAttribute, kOther };

Kind kind_of(Kind around, std::uint32_t number) {
  switch (around) {
    case Kind::kModel:
      if (number == field::model::kGraph) return Kind::kGraph;
      return number == field::model::kFunctions ? Kind::kFunction : Kind::kOther;
    case Kind::kGraph:
      return number == field::graph::kNode ? Kind::kNode : Kind::kOther;
    case Kind::kFunction:
      return number == field::function::kNode ? Kind::kNode : Kind::kOther;
    case Kind::kNode:
      return number == field::node::kAttribute ? Kind::kAttribute : Kind::kOther;
    case Kind::kAttribute: {
      const bool is_graph =
          number == field::attribute::kGraph || number == field::attribute::kGraphs;
      return is_graph ? Kind::kGraph : Kind::kOther;
    }
    case Kind::kOther:
      break;
  }
  return Kind::kOther;
}

bool is_metadata(Kind around, std::uint32_t number) {
  return (around == Kind::kModel && number == field::model::kMetadata) ||
         (around == Kind::kNode && number == field::node::kMetadata);
}

void append_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7F));
  bytes += static_cast<char>(value);
}

// Bytes [at, at + removed) of the file become `text`.
struct Change {
  std::uint64_t at = 0;
  std::uint64_t removed = 0;
  std::string text;
};

class Walk {
 public:
  Walk(std::string_view file, std::span<const AddedMetadata> added, std::string_view replaced)
      : file_(file), added_(added), replaced_(replaced) {}

  // In the order of the file. What is inserted at an offset comes before what is replaced there:
  // the end of one message is the start of the next.
  Result<std::vector<Change>> run() {
    const Span whole{file_, 0};
    stack_.push_back(Frame{.kind = Kind::kModel, .content = whole, .reader = WireReader(whole)});
    while (!stack_.empty()) {
      Field next;
      Frame& frame = stack_.back();
      const std::uint64_t start = frame.reader.offset();
      if (frame.reader.next(next)) {
        PLANEX_TRY(look_at(next, start));
      } else {
        PLANEX_TRY(frame.reader.status());
        leave();
      }
    }
    std::ranges::stable_sort(changes_, {}, &Change::at);
    return std::move(changes_);
  }

 private:
  struct Frame {
    Kind kind = Kind::kOther;
    std::uint32_t number = 0;
    std::uint64_t start = 0;  // of the field, where its key is
    Span content;
    WireReader reader;
    std::int64_t growth = 0;
  };

  Result<void> look_at(const Field& next, std::uint64_t start) {
    if (next.wire != Wire::kBytes) return {};
    Frame& around = stack_.back();
    if (is_metadata(around.kind, next.number)) return look_at_metadata(next, start);
    const Kind kind = kind_of(around.kind, next.number);
    if (kind == Kind::kOther) return {};
    // A subgraph is three messages deeper.
    if (stack_.size() > 3 * (std::size_t{kMaxSubgraphDepth} + 2)) {
      return fail(ErrorCode::kUnsupported, "the model's subgraphs are too deep");
    }
    stack_.push_back(Frame{.kind = kind,
                           .number = next.number,
                           .start = start,
                           .content = next.span,
                           .reader = WireReader(next.span)});
    return {};
  }

  Result<void> look_at_metadata(const Field& next, std::uint64_t start) {
    WireReader entry(next.span);
    Field part;
    bool is_replaced = false;
    while (entry.next(part)) {
      if (part.is_bytes(field::entry::kKey)) is_replaced = part.span.bytes.starts_with(replaced_);
    }
    PLANEX_TRY(entry.status());
    if (!is_replaced) return {};
    const std::uint64_t size = next.span.offset + next.span.bytes.size() - start;
    changes_.push_back({start, size, {}});
    stack_.back().growth -= static_cast<std::int64_t>(size);
    return {};
  }

  void leave() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    const bool may_have = frame.kind == Kind::kModel || frame.kind == Kind::kNode;
    if (may_have) {
      const auto found =
          std::ranges::lower_bound(added_, frame.content.offset, {}, &AddedMetadata::byte_offset);
      if (found != added_.end() && found->byte_offset == frame.content.offset) {
        changes_.push_back({frame.content.offset + frame.content.bytes.size(), 0, found->fields});
        frame.growth += static_cast<std::int64_t>(found->fields.size());
      }
    }
    if (stack_.empty() || frame.growth == 0) return;
    std::string head;
    append_varint(head, std::uint64_t{frame.number} << 3 | static_cast<unsigned>(Wire::kBytes));
    append_varint(head, static_cast<std::uint64_t>(
                            static_cast<std::int64_t>(frame.content.bytes.size()) + frame.growth));
    const std::uint64_t old_size = frame.content.offset - frame.start;
    stack_.back().growth +=
        frame.growth + static_cast<std::int64_t>(head.size()) - static_cast<std::int64_t>(old_size);
    changes_.push_back({frame.start, old_size, std::move(head)});
  }

  std::string_view file_;
  std::span<const AddedMetadata> added_;
  std::string_view replaced_;
  std::vector<Frame> stack_;
  std::vector<Change> changes_;
};

}  // namespace

Result<void> write_with_metadata(std::string_view file, std::span<const AddedMetadata> added,
                                 std::string_view replaced,
                                 const std::function<Result<void>(std::string_view piece)>& sink) {
  PLANEX_ASSIGN(const std::vector<Change> changes, Walk(file, added, replaced).run());
  std::uint64_t size = file.size();
  for (const Change& change : changes) size += change.text.size() - change.removed;
  if (size > std::numeric_limits<std::int32_t>::max()) {
    return fail(ErrorCode::kUnsupported,
                base::format("the ONNX model would have {:.1f} GB, and may have 2",
                             static_cast<double>(size) / 1e9),
                "keep its weights in a file of their own (onnx.save with save_as_external_data)");
  }
  // Small pieces together, large ones as they are.
  constexpr std::size_t kPieceBytes = 256 * 1024;
  std::string piece;
  const auto hand_on = [&]() -> Result<void> {
    if (piece.empty()) return {};
    auto done = sink(piece);
    piece.clear();
    return done;
  };
  const auto copy = [&](std::string_view bytes) -> Result<void> {
    if (piece.size() + bytes.size() > kPieceBytes) PLANEX_TRY(hand_on());
    if (bytes.size() > kPieceBytes) return sink(bytes);
    piece += bytes;
    return {};
  };
  std::uint64_t done = 0;
  for (const Change& change : changes) {
    PLANEX_TRY(copy(file.substr(done, change.at - done)));
    PLANEX_TRY(copy(change.text));
    done = change.at + change.removed;
  }
  PLANEX_TRY(copy(file.substr(done)));
  return hand_on();
}

}  // namespace planex::onnx
