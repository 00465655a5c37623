#include "onnx/metadata.h"

#include <algorithm>

#include "base/try.h"
#include "onnx/fields.h"
#include "onnx/rewrite_bytes.h"

namespace planex::onnx {
namespace {

bool is_metadata(const FieldPlace& place) {
  return (place.around == MessageKind::kModel && place.field.is_bytes(field::model::kMetadata)) ||
         (place.around == MessageKind::kNode && place.field.is_bytes(field::node::kMetadata));
}

class MetadataChanges final : public ByteChanges {
 public:
  MetadataChanges(std::span<const AddedMetadata> added, std::string_view replaced)
      : added_(added), replaced_(replaced) {}

  Result<Fate> at_field(const FieldPlace& place, std::string& /*text*/) override {
    if (!is_metadata(place)) return Fate::kKept;
    WireReader entry(place.field.span);
    Field part;
    bool is_replaced = false;
    while (entry.next(part)) {
      if (part.is_bytes(field::entry::kKey)) is_replaced = part.span.bytes.starts_with(replaced_);
    }
    PLANEX_TRY(entry.status());
    return is_replaced ? Fate::kLeftOut : Fate::kKept;
  }

  Result<void> at_end(MessageKind kind, std::uint64_t message, std::string& text) override {
    if (kind != MessageKind::kModel && kind != MessageKind::kNode) return {};
    const auto found = std::ranges::lower_bound(added_, message, {}, &AddedMetadata::byte_offset);
    if (found != added_.end() && found->byte_offset == message) text += found->fields;
    return {};
  }

 private:
  std::span<const AddedMetadata> added_;
  std::string_view replaced_;
};

}  // namespace

Result<void> write_with_metadata(std::string_view file, std::span<const AddedMetadata> added,
                                 std::string_view replaced,
                                 const std::function<Result<void>(std::string_view piece)>& sink) {
  MetadataChanges changes(added, replaced);
  return rewrite_bytes(file, changes, sink);
}

}  // namespace planex::onnx
