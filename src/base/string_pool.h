// Strings of one model, each named by a dense id.
//
// Texts are added in two ways: intern() gives equal texts the same id (names that are looked up,
// enumerating texts); add() does not search for equal ones (values that are only printed), which
// needs no hash. Texts can be borrowed from a file that the model keeps mapped, so loading copies
// none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace planex::base {

struct StringTag;
using StringId = Id<StringTag>;

// Whether the pool can point into the caller's memory, which must then outlive the pool.
enum class Lifetime : std::uint8_t { kCopy, kBorrow };

class StringPool {
 public:
  StringPool() = default;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;

  // Equal texts give equal ids. Cost: O(length), amortised.
  StringId intern(std::string_view text, Lifetime lifetime = Lifetime::kCopy);

  // Always a new id. Cost: O(1) for borrowed text.
  StringId add(std::string_view text, Lifetime lifetime = Lifetime::kCopy);

  // Takes over the texts of another pool as if they had been added here in their order: texts
  // interned there are interned here. Returns the id here of each id there. Cost: O(texts), and
  // O(length) for each interned one.
  std::vector<StringId> append(StringPool&& other);

  // From id `first` on, texts that point into `from` point into `to` from now on, where the same
  // bytes are.
  void move_borrowed(std::size_t first, std::string_view from, const char* to);

  // The id that intern() gave this text, or null.
  StringId find(std::string_view text) const;

  // Empty for the null id. The view lives as long as the pool.
  std::string_view view(StringId id) const {
    return id.is_null() ? std::string_view{} : texts_[id.index()];
  }

  std::size_t size() const { return texts_.size(); }

  // Reserves room for this many texts, so that growing does not copy. Costs address space only.
  void reserve(std::size_t count) { texts_.reserve(count); }

 private:
  std::string_view own(std::string_view text);
  StringId intern_hashed(std::string_view text, std::uint32_t hash, Lifetime lifetime);
  void grow();
  // The slot that holds `text`, or the empty one where it belongs.
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;

  struct Slot {
    std::uint32_t hash = 0;
    StringId id;
  };

  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;  // Open addressing, a power of two, at most half full.
  std::size_t interned_count_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_free_ = 0;
  char* block_next_ = nullptr;
};

// Remembers the ids of a few frequent texts (keys, types), so that most look-ups cost one
// comparison and no hash of the whole text.
class InternCache {
 public:
  explicit InternCache(StringPool& pool) : pool_(pool) {}

  StringId intern(std::string_view text, Lifetime lifetime);

 private:
  static constexpr std::size_t kSlots = 256;

  StringPool& pool_;
  std::array<StringId, kSlots> slots_{};
};

}  // namespace planex::base
