// Saved tensors from any of the files that planex reads, distinguished by their content.
#pragma once

#include <string>

#include "arrays/saved_arrays.h"
#include "base/files.h"
#include "planex/error.h"

namespace planex::arrays {

// `path`: a file of Polygraphy (outputs or inputs), of trtexec (--exportOutput, a raw binding), an
// .npz or .npy, whose name is the tensor's; or a folder of
//   - Polygraphy's files, one or more iterations each, in the order of their names,
//   - .npy files (debug tensors of trtexec), raw bindings, or both: one inference.
// Raw bindings of inputs are left out where there are outputs.
// Errors: kNotFound, kBadInput, kUnsupported, kIo, as in the readers; file is set.
Result<SavedArrays> open_arrays(const std::string& path, const base::FileSource& source);

}  // namespace planex::arrays
