// Samples from arrays: .npy, .npz, raw files, inputs that Polygraphy saved.
#pragma once

#include "tune/data.h"

namespace planex::tune {

// Arrays are matched to inputs by name; a single array belongs to the single input. One more
// dimension than the input has, or a first dimension that is a multiple of its batch, means several
// samples. Errors: those of load_data().
Result<Data> load_arrays(const DataRequest& request, const std::vector<ModelInput>& inputs,
                         const std::string& name, const Workshop& workshop);

}  // namespace planex::tune
