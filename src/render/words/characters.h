// Text from strangers where it is drawn or shown in a page: what would reorder, hide or break
// something is shown by its number instead. For terminals there is printable() (display_width.h),
// which escapes as shells and compilers do.
#pragma once

#include <string>
#include <string_view>

namespace planex::render {

// Valid UTF-8 on one line, with nothing in it that XML 1.0 forbids: each byte that is part of no
// character becomes U+FFFD; control characters, those that change the direction or have no width,
// and code points that are no characters become ⟨U+202E⟩. The page shows the same controls in the
// same way (web/src/base/text.ts). Cost: O(length).
std::string visible(std::string_view text);

}  // namespace planex::render
