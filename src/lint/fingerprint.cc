#include "lint/fingerprint.h"

#include <algorithm>

#include "base/text.h"

namespace planex::lint {
namespace {

// FNV-1a, 64 bits: the same on every machine, and not meant to resist attacks.
// http://www.isthe.com/chongo/tech/comp/fnv/
class Hash {
 public:
  Hash& add(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    // No text contains this byte as part of a character, so "a","bc" differs from "ab","c".
    byte(0xFF);
    return *this;
  }
  Hash& add(std::uint64_t number) {
    constexpr unsigned kBits = 64, kByte = 8;
    for (unsigned shift = 0; shift < kBits; shift += kByte) byte((number >> shift) & 0xFFU);
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  void byte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001B3U; }

  std::uint64_t value_ = 0xCBF29CE484222325U;
};

bool ends_with_counter_mark(std::string_view text) {
  return text.ends_with('_') || text.ends_with("Layer* ") || text.ends_with("mye") ||
         text.ends_with("myl");
}

}  // namespace

std::string without_numbers(std::string_view name) {
  std::string result;
  result.reserve(name.size());
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (!base::is_digit(name[at]) || !ends_with_counter_mark(result)) {
      result += name[at];
      continue;
    }
    std::size_t end = at;
    while (end < name.size() && base::is_digit(name[end])) ++end;
    at = end - 1;
  }
  return result;
}

LayerKeys::LayerKeys(const graph::DataFlow& flow) : flow_(flow) {
  const model::PlanModel& model = flow.model();
  // Names repeat (one operation in many layers), so each is parsed once.
  std::unordered_map<std::uint32_t, std::uint64_t> known;
  const auto name_key = [&](base::StringId id) {
    const auto [entry, is_new] = known.try_emplace(static_cast<std::uint32_t>(id.index()), 0);
    if (is_new) entry->second = Hash().add(without_numbers(model.text(id))).value();
    return entry->second;
  };
  std::vector<std::uint64_t> names;
  for (std::size_t row = 0; row < flow.layer_count(); ++row) {
    names.clear();
    const model::RowRange sources = model.sources_of(LayerId(row));
    for (std::size_t source = sources.first; source < sources.end(); ++source) {
      names.push_back(name_key(model.sources.op_name[source]));
    }
    // A set: compilers list a source once or several times, in any order.
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    Hash hash;
    if (names.empty()) hash.add("layer").add(name_key(model.layers.name[row]));
    for (const std::uint64_t name : names) hash.add(name);
    keys_.push_back(hash.value());
  }
}

std::uint64_t LayerKeys::key(LayerId layer) const {
  if (layer.is_null()) return Hash().add("engine").value();
  const model::PlanModel& model = flow_.model();
  const std::uint64_t own = keys_[layer.index()];
  if (model.sources_of(layer).count > 0) return own;
  // One neighbor on each side is enough to tell conversions apart, and cheap for tensors with many
  // readers.
  Hash hash;
  hash.add(own);
  const auto add_first = [&](std::span<const std::uint32_t> ports) {
    hash.add(ports.empty() ? 0 : keys_[flow_.layer_of(ports.front()).index()]);
  };
  const auto inputs = flow_.inputs(layer);
  const auto outputs = flow_.outputs(layer);
  if (!inputs.empty()) add_first(flow_.writers(flow_.tensor_of(inputs.front())));
  if (!outputs.empty()) add_first(flow_.readers(flow_.tensor_of(outputs.front())));
  return hash.value();
}

std::string RuleFingerprints::next(LayerId layer) {
  // A layer may have as many findings as ports.
  if (!is_known_ || layer != last_) key_ = keys_.key(layer);
  is_known_ = true;
  last_ = layer;
  const std::size_t ordinal = seen_[key_]++;
  return base::format("{:016x}", Hash().add(rule_).add(key_).add(ordinal).value());
}

}  // namespace planex::lint
