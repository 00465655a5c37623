// Finds operations in two engines' ledgers that are the same one of the source model.
#pragma once

#include <cstddef>
#include <vector>

#include "analyze/align/alignment.h"
#include "analyze/compare/ledger.h"

namespace planex::analyze {

inline constexpr std::size_t kNoOperation = static_cast<std::size_t>(-1);

// For each operation of b the one of a, or kNoOperation; none of a twice. `alignment` can be null.
// The rules: ledger.h. Cost: O((operations + shares) · log).
std::vector<std::size_t> same_operations(const EngineLedger& a, const EngineLedger& b,
                                         const Alignment* alignment);

}  // namespace planex::analyze
