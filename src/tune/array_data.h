// Samples from arrays: .npy, .npz, raw files, inputs that Polygraphy saved.
#pragma once

#include "tune/data.h"

namespace planex::tune {

// Arrays are matched to inputs by name; a single array is the single input's. One more dimension
// than the input has, or a first dimension that is a multiple of its batch, holds several samples.
// Errors: as load_data().
Result<Data> load_arrays(const DataRequest& request, const std::vector<ModelInput>& inputs,
                         const std::string& name, const Workshop& workshop);

}  // namespace planex::tune
