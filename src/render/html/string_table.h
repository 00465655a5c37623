// Texts of one engine in the report's data, each written once and named by its place in the list.
#ifndef PLANEX_RENDER_HTML_STRING_TABLE_H_
#define PLANEX_RENDER_HTML_STRING_TABLE_H_

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/json/json_writer.h"

namespace planex::render {

class StringTable {
 public:
  // The text must live as long as the table.
  std::size_t index_of(std::string_view text) {
    const auto [entry, added] = index_.try_emplace(text, texts_.size());
    if (added) texts_.push_back(text);
    return entry->second;
  }

  // Of a text that nobody else keeps.
  std::size_t index_of_copy(std::string text) {
    const auto known = index_.find(text);
    if (known != index_.end()) return known->second;
    return index_of(kept_.emplace_back(std::move(text)));
  }

  void write(JsonWriter& json) const {
    json.key("strings").begin_array();
    for (const std::string_view text : texts_) json.value(text);
    json.end_array();
  }

 private:
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<std::string_view> texts_;
  std::deque<std::string> kept_;  // grows without moving what is in it
};

}  // namespace planex::render

#endif  // PLANEX_RENDER_HTML_STRING_TABLE_H_
