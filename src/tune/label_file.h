// Labels of samples from a text file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::tune {

// One label for each of `names`, from a file whose lines are as DataRequest::labels says; empty
// where the file does not name a sample. A name matches if it is the end of a path. Lines that are
// empty or begin with "#" are skipped. Errors: kBadInput (no sample has any of the names; the
// number of lines without names differs from the number of samples; lines of both kinds); file is
// `path`.
Result<std::vector<std::string>> labels_in(std::string_view text, const std::string& path,
                                           std::span<const std::string> names);

// Reads the labels from a file. Errors: as above; kNotFound, kIo.
Result<std::vector<std::string>> read_labels(const std::string& path,
                                             std::span<const std::string> names);

}  // namespace planex::tune
