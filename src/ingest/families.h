// What a layer does, in terms common to all producers: the only table of layer types.
#pragma once

#include <string_view>

#include "model/types.h"

namespace planex::ingest {

// `type` as the producer writes it, in any case. It is recognized by its last words, so that a kind
// keeps its family whatever its implementation is called: CaskConvolution, QLinearConv,
// CudnnSoftMaxV2. Unknown types are allowed: they are kOther.
model::Family family_of(std::string_view type);

// Book-keeping records by type; kWork for everything else, including unknown types.
model::Role role_of(std::string_view type);

}  // namespace planex::ingest
