// The words of TensorRT's records, looked up once per distinct word: the name of a type, its family
// and role, the meaning of a format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/tensorrt/format.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

struct TypeFacts {
  base::StringId layer_type, parameter_type;
  // ParameterType if there is one, otherwise LayerType.
  base::StringId type;
  model::Family family = model::Family::kOther;
  model::Role role = model::Role::kWork;
};

// Type and layout of a tensor, raw and interpreted.
struct FormatFacts {
  base::StringId raw;
  Format format;
};

// Entries by a pair of ids. The first few are compared one by one, which is all that real files
// need; those of a file with thousands are found by hash.
template <typename Entry>
class PairTable {
 public:
  const Entry* find(base::StringId a, base::StringId b) const {
    for (std::size_t i = 0; i < keys_.size() && i < kFew; ++i) {
      if (keys_[i] == std::pair(a, b)) return &entries_[i];
    }
    if (keys_.size() <= kFew) return nullptr;
    const auto found = others_.find(hashed(a, b));
    return found == others_.end() ? nullptr : &entries_[found->second];
  }
  // The reference is good until the next call.
  const Entry& add(base::StringId a, base::StringId b, Entry entry) {
    if (keys_.size() >= kFew) others_.emplace(hashed(a, b), entries_.size());
    keys_.emplace_back(a, b);
    entries_.push_back(std::move(entry));
    return entries_.back();
  }

 private:
  static constexpr std::size_t kFew = 12;
  static std::uint64_t hashed(base::StringId a, base::StringId b) {
    return (static_cast<std::uint64_t>(a.index()) << 32) ^ (b.index() & 0xffffffffu);
  }

  std::vector<std::pair<base::StringId, base::StringId>> keys_;
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::size_t> others_;
};

class Vocabulary {
 public:
  // `file` is named in diagnostics. The builder must outlive this.
  Vocabulary(model::ModelBuilder& builder, std::string file)
      : builder_(builder), file_(std::move(file)) {}

  // Where the current record begins, for diagnostics of files without pointers.
  void set_place(std::uint64_t byte_offset) { byte_offset_ = byte_offset; }

  // `parameter_type` can be null.
  const TypeFacts& type(base::StringId layer_type, base::StringId parameter_type);

  // Type and layout in one sentence, or just a type: "Format/Datatype". An unknown word is reported
  // once.
  const Format& format(base::StringId raw) { return format(raw, {}).format; }

  // The same in two fields, as in 11.x. Their raw text is "Half, (Linear) Row major linear format";
  // if one is null, just the other.
  const FormatFacts& format(base::StringId datatype, base::StringId layout);

  // Sets what the type says about a layer: raw_type, subtype, type, family, role.
  void set_type(model::LayerId layer, const TypeFacts& facts);

 private:
  void report_unknown(std::string_view raw, const Format& format);

  model::ModelBuilder& builder_;
  std::string file_;
  std::optional<std::uint64_t> byte_offset_;
  PairTable<TypeFacts> types_;
  PairTable<FormatFacts> formats_;
};

}  // namespace planex::ingest::tensorrt
