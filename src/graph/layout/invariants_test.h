// Invariants of every layout, and graphs to test them on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/layout/layout.h"

namespace planex::graph::layout {

// The first few rules that the layout breaks, one per line; empty: none.
std::string broken_rules(const Input& input, const Layout& layout);

// A hash of everything in a layout.
std::uint64_t hash_of(const Layout& layout);

}  // namespace planex::graph::layout
