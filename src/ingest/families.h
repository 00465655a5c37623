// What a layer does, in terms common to all producers: the one table of layer types.
#pragma once

#include <string_view>

#include "model/types.h"

namespace planex::ingest {

// `type` as the producer writes it, any case. Known by its last words, so that a kind keeps its
// family whatever its implementation is called: CaskConvolution, QLinearConv, CudnnSoftMaxV2.
// Unknown types are kOther: they are legal.
model::Family family_of(std::string_view type);

// Book-keeping records by their type; kWork for everything else, unknown types included.
model::Role role_of(std::string_view type);

}  // namespace planex::ingest
