// Chooses the nodes of a cast model to keep in float, so that its outputs lose less.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/difference.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "quantize/cast.h"

namespace planex::tune {

using Losses = std::map<std::string, arrays::Difference, std::less<>>;

// Error power over signal power: 0 where nothing differs, infinity where there are NaN or
// infinities that the float model does not have.
double noise_ratio(const arrays::Difference& difference);

// The node that computes in the small type whose output gains most noise over its inputs, and the
// small nodes that make those: the difference of two similar numbers loses what was lost when they
// were rounded. `losses`: of tensors against the float model. `tried`: nodes that are not proposed
// again. Empty: there is none.
std::vector<onnx::Index> noisiest(const onnx::Model& model, const onnx::Links& links,
                                  const quantize::CastPlan& plan, const Losses& losses,
                                  const std::set<onnx::Index>& tried);

}  // namespace planex::tune
