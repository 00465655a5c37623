// Untrusted text that is drawn or shown in a page: characters that would reorder, hide or break
// something are shown as their code points. For terminals there is printable() (display_width.h),
// which escapes as shells and compilers do.
#pragma once

#include <string>
#include <string_view>

namespace planex::render {

// Returns valid UTF-8 on one line without anything that XML 1.0 forbids: each byte that is not part
// of a character becomes U+FFFD; control characters, characters that change the direction or have
// no width, and noncharacters are written as ⟨U+202E⟩. The page shows the same controls in the same
// way (web/src/base/text.ts). Cost: O(length).
std::string visible(std::string_view text);

}  // namespace planex::render
