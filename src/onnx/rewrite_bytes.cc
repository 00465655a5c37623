#include "onnx/rewrite_bytes.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <protozero/buffer_string.hpp>
#include <protozero/varint.hpp>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "onnx/fields.h"
#include "onnx/read.h"

namespace planex::onnx {
namespace {

MessageKind kind_of(MessageKind around, const Field& field) {
  if (field.wire != Wire::kBytes) return MessageKind::kOther;
  switch (around) {
    case MessageKind::kModel:
      if (field.number == field::model::kGraph) return MessageKind::kGraph;
      return field.number == field::model::kFunctions ? MessageKind::kFunction
                                                      : MessageKind::kOther;
    case MessageKind::kGraph:
      return field.number == field::graph::kNode ? MessageKind::kNode : MessageKind::kOther;
    case MessageKind::kFunction:
      return field.number == field::function::kNode ? MessageKind::kNode : MessageKind::kOther;
    case MessageKind::kNode:
      return field.number == field::node::kAttribute ? MessageKind::kAttribute
                                                     : MessageKind::kOther;
    case MessageKind::kAttribute: {
      const bool is_graph =
          field.number == field::attribute::kGraph || field.number == field::attribute::kGraphs;
      return is_graph ? MessageKind::kGraph : MessageKind::kOther;
    }
    case MessageKind::kOther:
      break;
  }
  return MessageKind::kOther;
}

// Bytes [at, at + removed) of the file become `text`.
struct Change {
  std::uint64_t at = 0;
  std::uint64_t removed = 0;
  std::string text;
};

class Walk {
 public:
  Walk(std::string_view file, ByteChanges& wanted) : file_(file), wanted_(wanted) {}

  // In the order of the file; those with the same offset in the order in which they are written:
  // the end of one message is the start of the next.
  Result<std::vector<Change>> run() {
    const Span whole{file_, 0};
    stack_.push_back(
        Frame{.kind = MessageKind::kModel, .content = whole, .reader = WireReader(whole)});
    while (!stack_.empty()) {
      Field next;
      Frame& frame = stack_.back();
      const std::uint64_t start = frame.reader.offset();
      if (frame.reader.next(next)) {
        PLANEX_TRY(look_at(next, start));
      } else {
        PLANEX_TRY(frame.reader.status());
        PLANEX_TRY(leave());
      }
    }
    std::ranges::stable_sort(changes_, {}, &Change::at);
    return std::move(changes_);
  }

 private:
  struct Frame {
    MessageKind kind = MessageKind::kOther;
    std::uint32_t number = 0;
    std::uint64_t start = 0;  // offset of the field, where its key is
    Span content;
    WireReader reader;
    std::int64_t growth = 0;
  };

  void change(Frame& frame, std::uint64_t at, std::uint64_t removed, std::string text) {
    frame.growth += static_cast<std::int64_t>(text.size()) - static_cast<std::int64_t>(removed);
    changes_.push_back({at, removed, std::move(text)});
  }

  Result<void> look_at(const Field& next, std::uint64_t start) {
    Frame& around = stack_.back();
    const std::uint64_t size = around.reader.offset() - start;
    std::string text;
    PLANEX_ASSIGN(const Fate fate, wanted_.at_field({.around = around.kind,
                                                     .message = around.content.offset,
                                                     .field = next,
                                                     .bytes = file_.substr(start, size)},
                                                    text));
    const bool is_left_out = fate == Fate::kLeftOut;
    if (is_left_out || !text.empty()) {
      change(around, start, is_left_out ? size : 0, std::move(text));
    }
    const MessageKind kind = kind_of(around.kind, next);
    if (is_left_out || kind == MessageKind::kOther) return {};
    // A subgraph is three messages deeper.
    if (stack_.size() > 3 * (std::size_t{kMaxSubgraphDepth} + 2)) {
      return fail(ErrorCode::kUnsupported, "the model's subgraphs are nested too deeply");
    }
    stack_.push_back(Frame{.kind = kind,
                           .number = next.number,
                           .start = start,
                           .content = next.span,
                           .reader = WireReader(next.span)});
    return {};
  }

  Result<void> leave() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    std::string text;
    PLANEX_TRY(wanted_.at_end(frame.kind, frame.content.offset, text));
    if (!text.empty()) {
      change(frame, frame.content.offset + frame.content.bytes.size(), 0, std::move(text));
    }
    if (stack_.empty() || frame.growth == 0) return {};
    std::string head;
    protozero::add_varint_to_buffer(
        &head, std::uint64_t{frame.number} << 3 | static_cast<unsigned>(Wire::kBytes));
    protozero::add_varint_to_buffer(
        &head, static_cast<std::uint64_t>(static_cast<std::int64_t>(frame.content.bytes.size()) +
                                          frame.growth));
    stack_.back().growth += frame.growth;
    change(stack_.back(), frame.start, frame.content.offset - frame.start, std::move(head));
    return {};
  }

  std::string_view file_;
  ByteChanges& wanted_;
  std::vector<Frame> stack_;
  std::vector<Change> changes_;
};

}  // namespace

Result<void> rewrite_bytes(std::string_view file, ByteChanges& wanted, const ByteSink& sink) {
  PLANEX_ASSIGN(const std::vector<Change> changes, Walk(file, wanted).run());
  std::uint64_t size = file.size();
  for (const Change& change : changes) size += change.text.size() - change.removed;
  if (size > std::numeric_limits<std::int32_t>::max()) {
    return fail(ErrorCode::kUnsupported,
                base::format("the ONNX model would have {:.1f} GB; the limit is 2",
                             static_cast<double>(size) / 1e9),
                "keep its weights in a file of their own (onnx.save with save_as_external_data)");
  }
  // Small pieces are combined, large ones passed on as they are.
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
