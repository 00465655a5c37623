// Texts of one engine in the report's data, each written once and referred to by its place in the
// list.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/string_pool.h"
#include "render/json/json_writer.h"

namespace planex::render {

class StringTable {
 public:
  // The text must live as long as the table.
  std::size_t index_of(std::string_view text) {
    return pool_.intern(text, base::Lifetime::kBorrow).index();
  }

  // For a text that nothing else keeps alive.
  std::size_t index_of_copy(std::string_view text) { return pool_.intern(text).index(); }

  void write(JsonWriter& json) const {
    json.key("strings").begin_array();
    for (std::size_t i = 0; i < pool_.size(); ++i) json.value(pool_.view(base::StringId(i)));
    json.end_array();
  }

 private:
  base::StringPool pool_;
};

}  // namespace planex::render
