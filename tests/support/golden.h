// Files that hold what is expected, and are written anew by `tools/golden --update`.
#pragma once

#include <string>
#include <vector>

namespace planex::test {

// Fails the test where the file has another text or is missing; on an update, writes it.
void expect_golden(const std::string& path, const std::string& text);

// The names of the folders directly in a folder, sorted; none where it is missing.
std::vector<std::string> folders_in(const std::string& folder);

}  // namespace planex::test
