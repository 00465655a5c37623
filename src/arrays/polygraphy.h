// What Polygraphy saves: the outputs of runners (--save-outputs, RunResults) and inputs
// (--save-inputs), as JSON with the arrays as .npy in base64. Read as versions 0.2 to 0.53 write
// it.
//
// Not read: tensors of torch, which need torch to be unpacked.
#pragma once

#include <string>
#include <string_view>

#include "arrays/saved_arrays.h"
#include "base/files.h"
#include "planex/error.h"

namespace planex::arrays {

// One run per runner, in the file's order; for inputs one without a name. A runner that occurs
// twice is one run with all its iterations. Errors: kBadInput (not JSON, cut short, unexpected
// values, with their pointer), kUnsupported (torch, types as in npy.h). Cost: O(bytes); memory for
// the arrays, in addition to the file's own bytes, and at most for one of them twice.
Result<SavedArrays> read_polygraphy(const base::Bytes& bytes, const std::string& path);

}  // namespace planex::arrays
