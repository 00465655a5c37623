// Parts of a joined tensor that are compared separately, in words.
#pragma once

#include <string>

#include "arrays/difference.h"
#include "arrays/slices.h"

namespace planex::render {

// "channels 4–11 (/model.22/Sigmoid_out)"; of other axes than the second "4–11 of axis 2".
std::string slice_place_text(const arrays::Slice& slice);

// "y hides a part: channels 4–11 keep 7.4 dB, the whole tensor 45.0 dB." Empty if no slice keeps
// less than the whole.
std::string worst_slice_sentence(const std::string& tensor, const arrays::Difference& difference);

}  // namespace planex::render
