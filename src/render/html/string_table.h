// Texts of one engine in the report's data, each written once and named by its place in the list.
#ifndef PLANEX_RENDER_HTML_STRING_TABLE_H_
#define PLANEX_RENDER_HTML_STRING_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/json/json_writer.h"

namespace planex::render {

// A hash table without nodes: a report of 100 000 layers has more than a million texts, and asks
// for them several million times.
class StringTable {
 public:
  // The text must live as long as the table.
  std::size_t index_of(std::string_view text) {
    const Place place = place_of(text);
    return place.index != kFree ? place.index - 1 : add(text, place);
  }

  // Of a text that nobody else keeps.
  std::size_t index_of_copy(std::string text) {
    const Place place = place_of(text);
    return place.index != kFree ? place.index - 1 : add(kept_.emplace_back(std::move(text)), place);
  }

  void write(JsonWriter& json) const {
    json.key("strings").begin_array();
    for (const std::string_view text : texts_) json.value(text);
    json.end_array();
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::size_t kFirstSlots = 1024;  // a power of two, as all sizes

  struct Place {
    std::size_t slot = 0;
    std::uint32_t hash = 0;
    std::uint32_t index = kFree;  // in texts_, counted from 1
  };

  Place place_of(std::string_view text) const {
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t index = slots_[slot];
      if (hashes_[index - 1] == hash && texts_[index - 1] == text) return {slot, hash, index};
    }
    return {slot, hash, kFree};
  }

  std::size_t add(std::string_view text, const Place& place) {
    texts_.push_back(text);
    hashes_.push_back(place.hash);
    slots_[place.slot] = static_cast<std::uint32_t>(texts_.size());
    // At most half of the slots are taken, so that a free one is near.
    if (texts_.size() * 2 > slots_.size()) grow();
    return texts_.size() - 1;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kFree);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      std::size_t slot = hashes_[i] & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(kFirstSlots, kFree);
  std::vector<std::uint32_t> hashes_;  // of each text
  std::vector<std::string_view> texts_;
  std::deque<std::string> kept_;  // grows without moving what is in it
};

}  // namespace planex::render

#endif  // PLANEX_RENDER_HTML_STRING_TABLE_H_
