// Which layers of one engine do what which layers of another do.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// What tells that the layers of a match belong together; the strongest that holds.
enum class MatchBy : std::uint8_t {
  kSource,     // they share operations of the source model
  kName,       // names, or what remains of them without the compiler's own numbers
  kShape,      // type, dims and the layers around them
  kOrder,      // what lies between two matches, in the same order
  kUnmatched,  // there are layers of one engine only
};
std::string_view to_string(MatchBy by);

// Layers of A and layers of B that do the same: one with one most of the time, one with several
// where one compiler fused what the other did not. Either side is empty where nothing of the other
// engine does the same; never both. In execution order.
struct Match {
  std::vector<model::LayerId> a, b;
  MatchBy by = MatchBy::kUnmatched;
  // 0 to 1: how much speaks for it; 1 for equal evidence on both sides and no rival. 0 unmatched.
  double certainty = 0;
};

// Every layer that does work is in exactly one match.
struct Alignment {
  // In the execution order of both as far as they agree: by the first layer of B, and what only A
  // has stands where it was in A.
  std::vector<Match> matches;
  // Layers that are left unmatched although something of the other engine is like them: other
  // alignments are about as likely.
  std::size_t undecided_a = 0, undecided_b = 0;
};

enum class AlignRule : std::uint8_t {
  kBest,
  // The predecessor's two rules: type and dims without the batch, of all tensors or of the first
  // input and output; the first free layer with the same ones. Always one with one.
  kExactShapes,
  kFirstShapes,
};

// Symmetric: align(b, a) has the same matches with sides swapped. Both models must be completed.
// Cost: O(n log n) in layers, ports and sources; the predecessor's rules, too.
Alignment align(const model::PlanModel& a, const model::PlanModel& b,
                AlignRule rule = AlignRule::kBest);

}  // namespace planex::analyze
