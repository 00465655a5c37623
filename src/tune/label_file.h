// Labels of samples from a text file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::tune {

// One for each of `names`, of a file whose lines are as DataRequest::labels says; empty where the
// file names others. A name fits where it is the end of a path. Lines that are empty or begin with
// "#" are passed over. Errors: kBadInput (names that no sample has, all of them; lines without
// names that are not as many as the samples; lines of both kinds); file is `path`.
Result<std::vector<std::string>> labels_in(std::string_view text, const std::string& path,
                                           std::span<const std::string> names);

// The same of a file. Errors: as above; kNotFound, kIo.
Result<std::vector<std::string>> read_labels(const std::string& path,
                                             std::span<const std::string> names);

}  // namespace planex::tune
