// Matches the layers of one engine with the layers of another that do the same.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// Evidence that the layers of a match belong together; the strongest that applies.
enum class MatchBy : std::uint8_t {
  kSource,     // they share operations of the source model
  kName,       // names, or what remains of them without the compiler's own numbers
  kShape,      // type, dims and the layers around them
  kOrder,      // what is between two matches, in the same order
  kUnmatched,  // layers of one engine only
};
std::string_view to_string(MatchBy by);

// Layers of A and layers of B that do the same: usually one to one, one to several where one
// compiler fused what the other did not. A side is empty where nothing in the other engine does the
// same; never both. In execution order.
struct Match {
  std::vector<model::LayerId> a, b;
  MatchBy by = MatchBy::kUnmatched;
  // 0 to 1: strength of the evidence; 1 for equal evidence on both sides and no rival. 0:
  // unmatched.
  double certainty = 0;
};

// Every layer that does work is in exactly one match.
struct Alignment {
  // In the execution order of both as far as they agree: by the first layer of B; what only A has
  // keeps its place in A.
  std::vector<Match> matches;
  // Layers left unmatched although something in the other engine resembles them: other alignments
  // are about as likely.
  std::size_t undecided_a = 0, undecided_b = 0;
};

enum class AlignRule : std::uint8_t {
  kBest,
  // The predecessor's two rules: type and dims without the batch, of all tensors or of the first
  // input and output; a layer is paired with the first free one that has the same. Always one to
  // one.
  kExactShapes,
  kFirstShapes,
};

// Symmetric: align(b, a) has the same matches with sides swapped. Both models must be completed.
// Cost: O(n log n) in layers, ports and sources, for the predecessor's rules too.
Alignment align(const model::PlanModel& a, const model::PlanModel& b,
                AlignRule rule = AlignRule::kBest);

}  // namespace planex::analyze
