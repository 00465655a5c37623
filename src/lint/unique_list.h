// Unique items in the order in which they were added: for findings about a whole engine, whose
// lists grow with it. For a handful around one layer, append_unique() is enough.
#pragma once

#include <set>
#include <utility>
#include <vector>

namespace planex::lint {

template <typename Item>
class UniqueList {
 public:
  // Cost: O(log items).
  void add(Item item) {
    if (seen_.insert(item).second) items_.push_back(std::move(item));
  }
  const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Item> items_;
  std::set<Item> seen_;
};

}  // namespace planex::lint
