#include "base/string_pool.h"

#include <cstring>
#include <functional>

namespace planex::base {
namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;
constexpr std::size_t kFirstSlotCount = 1024;

std::uint32_t hash_of(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>{}(text);
  return static_cast<std::uint32_t>(hash ^ (static_cast<std::uint64_t>(hash) >> 32));
}

}  // namespace

std::string_view StringPool::own(std::string_view text) {
  if (text.size() > kBlockBytes / 4) {
    // Large texts get their own block, so that they waste no shared one.
    auto block = std::make_unique<char[]>(text.size());
    std::memcpy(block.get(), text.data(), text.size());
    const std::string_view owned(block.get(), text.size());
    blocks_.push_back(std::move(block));
    return owned;
  }
  if (text.size() > block_free_) {
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlockBytes));
    block_next_ = blocks_.back().get();
    block_free_ = kBlockBytes;
  }
  if (!text.empty()) std::memcpy(block_next_, text.data(), text.size());
  const std::string_view owned(block_next_, text.size());
  block_next_ += text.size();
  block_free_ -= text.size();
  return owned;
}

StringId StringPool::add(std::string_view text, Lifetime lifetime) {
  texts_.push_back(lifetime == Lifetime::kBorrow ? text : own(text));
  return StringId(texts_.size() - 1);
}

std::size_t StringPool::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (!slots_[slot].id.is_null() &&
         (slots_[slot].hash != hash || texts_[slots_[slot].id.index()] != text)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void StringPool::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? kFirstSlotCount : old.size() * 2, Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& entry : old) {
    if (entry.id.is_null()) continue;
    std::size_t slot = entry.hash & mask;
    while (!slots_[slot].id.is_null()) slot = (slot + 1) & mask;
    slots_[slot] = entry;
  }
}

StringId StringPool::intern(std::string_view text, Lifetime lifetime) {
  return intern_hashed(text, hash_of(text), lifetime);
}

StringId StringPool::intern_hashed(std::string_view text, std::uint32_t hash, Lifetime lifetime) {
  if (interned_count_ * 2 >= slots_.size()) grow();
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.id.is_null()) {
    slot = {hash, add(text, lifetime)};
    ++interned_count_;
  }
  return slot.id;
}

std::vector<StringId> StringPool::append(StringPool&& other) {
  // By id and not by slot, so that new ids are in the original order of the texts.
  constexpr std::uint32_t kAdded = 0xffffffff;
  std::vector<std::uint32_t> slot_of_id(other.texts_.size(), kAdded);
  for (std::size_t slot = 0; slot < other.slots_.size(); ++slot) {
    const StringId id = other.slots_[slot].id;
    if (!id.is_null()) slot_of_id[id.index()] = static_cast<std::uint32_t>(slot);
  }
  std::vector<StringId> ids;
  ids.reserve(other.texts_.size());
  // The slot of a text is known ahead, and is far away from the previous one.
  constexpr std::size_t kAhead = 8;
  for (std::size_t id = 0; id < other.texts_.size(); ++id) {
    if (id + kAhead < slot_of_id.size() && slot_of_id[id + kAhead] != kAdded && !slots_.empty()) {
      __builtin_prefetch(&slots_[other.slots_[slot_of_id[id + kAhead]].hash & (slots_.size() - 1)]);
    }
    const std::uint32_t slot = slot_of_id[id];
    ids.push_back(slot == kAdded ? add(other.texts_[id], Lifetime::kBorrow)
                                 : intern_hashed(other.texts_[id], other.slots_[slot].hash,
                                                 Lifetime::kBorrow));
  }
  for (auto& block : other.blocks_) blocks_.push_back(std::move(block));
  other = StringPool();
  return ids;
}

void StringPool::move_borrowed(std::size_t first, std::string_view from, const char* to) {
  const auto begin = reinterpret_cast<std::uintptr_t>(from.data());
  for (std::size_t id = first; id < texts_.size(); ++id) {
    std::string_view& text = texts_[id];
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(text.data()) - begin;
    if (offset < from.size()) text = {to + offset, text.size()};
  }
}

StringId StringPool::find(std::string_view text) const {
  if (slots_.empty()) return StringId();
  return slots_[slot_of(text, hash_of(text))].id;
}

StringId InternCache::intern(std::string_view text, Lifetime lifetime) {
  // Length and the characters at a few places distinguish the keys of a layer file.
  std::size_t slot = text.size() * 31;
  if (!text.empty()) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    slot += at(0) + at(text.size() / 2) * 7u + at(text.size() - 1) * 13u + at(text.size() / 4) * 3u;
  }
  StringId& known = slots_[slot % kSlots];
  if (known.is_null() || pool_.view(known) != text) known = pool_.intern(text, lifetime);
  return known;
}

}  // namespace planex::base
