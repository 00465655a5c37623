#include "onnx/likeness.h"

#include <algorithm>
#include <array>
#include <span>

#include "onnx/fields.h"
#include "onnx/wire.h"

namespace planex::onnx {
namespace {

struct KnownField {
  std::uint32_t number;
  Wire wire;
};

namespace m = field::model;
constexpr std::array<KnownField, 12> kModelFields = {{{m::kIrVersion, Wire::kVarint},
                                                      {m::kProducerName, Wire::kBytes},
                                                      {m::kProducerVersion, Wire::kBytes},
                                                      {m::kDomain, Wire::kBytes},
                                                      {m::kModelVersion, Wire::kVarint},
                                                      {m::kDoc, Wire::kBytes},
                                                      {m::kGraph, Wire::kBytes},
                                                      {m::kOpsetImport, Wire::kBytes},
                                                      {m::kMetadata, Wire::kBytes},
                                                      {m::kTraining, Wire::kBytes},
                                                      {m::kFunctions, Wire::kBytes},
                                                      {m::kConfiguration, Wire::kBytes}}};
namespace g = field::graph;
constexpr std::array<std::uint32_t, 10> kGraphFields = {
    g::kNode,      g::kName,         g::kInitializer,       g::kDoc,     g::kInput, g::kOutput,
    g::kValueInfo, g::kQuantization, g::kSparseInitializer, g::kMetadata};
namespace n = field::node;
// Later versions of ONNX may add fields to nodes; up to 1.23 the last is 10.
constexpr std::uint32_t kGreatestNodeField = 32;

bool is_text(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t';
  });
}

// Steps over one message that can be cut short: returns whole fields, then the available part of a
// longer one.
class PartialReader {
 public:
  PartialReader(std::string_view bytes, bool is_cut) : reader_({bytes, 0}), is_cut_(is_cut) {}

  // False at the end.
  bool next() {
    if (!is_whole_) return false;
    if (reader_.next(field)) return true;
    is_whole_ = !reader_.is_cut();
    return is_cut_ && reader_.is_cut() && field.span.bytes.data() != nullptr;
  }
  // Whether there are bytes that no message contains.
  bool is_broken() const { return reader_.is_damaged() && !(is_cut_ && reader_.is_cut()); }
  bool is_whole() const { return is_whole_; }

  Field field;

 private:
  WireReader reader_;
  bool is_cut_;
  bool is_whole_ = true;
};

// A node whose type has only letters, digits, dots and underscores. `is_seen` where it has a type.
bool may_be_node(std::string_view bytes, bool is_cut, bool& is_seen) {
  PartialReader reader(bytes, is_cut);
  while (reader.next()) {
    const Field& next = reader.field;
    if (next.wire != Wire::kBytes || next.number > kGreatestNodeField) {
      return false;
    }
    if (!reader.is_whole()) return true;
    if (next.number == n::kOpType) {
      const bool is_word = std::ranges::all_of(next.span.bytes, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               c == '_' || c == '.' || c == ':' || c == '-';
      });
      if (!is_word || next.span.bytes.empty()) return false;
      is_seen = true;
    }
  }
  return !reader.is_broken();
}

// Checks only the first fields: one node or tensor proves as much as a thousand.
bool may_be_graph(std::string_view bytes, bool is_cut, bool& is_seen) {
  constexpr int kFieldsLookedAt = 8;
  PartialReader reader(bytes, is_cut);
  for (int i = 0; i < kFieldsLookedAt && reader.next(); ++i) {
    const Field& next = reader.field;
    if (next.wire != Wire::kBytes ||
        std::ranges::find(kGraphFields, next.number) == kGraphFields.end()) {
      return false;
    }
    if (next.number == g::kName && !is_text(next.span.bytes)) return false;
    if (next.number == g::kNode && !may_be_node(next.span.bytes, !reader.is_whole(), is_seen))
      return false;
  }
  return !reader.is_broken();
}

}  // namespace

Likeness likeness(std::string_view head) {
  PartialReader reader(head, true);
  bool has_version = false, has_graph = false, has_node = false, has_words = false;
  while (reader.next()) {
    const Field& next = reader.field;
    const auto known = std::ranges::find(kModelFields, next.number, &KnownField::number);
    if (known == kModelFields.end() || known->wire != next.wire) return Likeness::kNone;
    switch (next.number) {
      case m::kIrVersion: {
        // 1 in 2017, 13 in 2026.
        constexpr std::uint64_t kGreatestVersion = 200;
        if (next.value == 0 || next.value > kGreatestVersion) return Likeness::kNone;
        has_version = true;
        break;
      }
      case m::kProducerName:
      case m::kProducerVersion:
      case m::kDomain:
      case m::kDoc:
        if (!is_text(next.span.bytes)) return Likeness::kNone;
        has_words = has_words || !next.span.bytes.empty();
        break;
      case m::kGraph:
        if (!may_be_graph(next.span.bytes, !reader.is_whole(), has_node)) return Likeness::kNone;
        has_graph = true;
        break;
      default:
        break;
    }
  }
  if (reader.is_broken()) return Likeness::kNone;
  if (has_graph && has_node && has_version) return Likeness::kStrong;
  return has_graph || (has_version && has_words) ? Likeness::kSome : Likeness::kNone;
}

}  // namespace planex::onnx
