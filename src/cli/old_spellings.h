// Options that had another name: one name stands for one thing in all verbs now.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace planex::cli {

// The words after a verb with the names of today. A note says which name was old.
std::vector<std::string> with_todays_names(std::string_view verb, std::vector<std::string> words);

}  // namespace planex::cli
