// A measure of results that planex does not know: a program of the user that gets two files and
// prints a number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "planex/error.h"

namespace planex::drive {

struct MetricValue {
  std::string name;
  std::optional<double> value;  // null: NaN or infinite, such as a fraction of nothing
};

// The program and its first arguments, split at spaces; a file of that name in the working folder
// takes precedence over one in PATH. Empty if there is no word.
std::vector<std::string> metric_words(std::string_view text);

// The name for values of a program that prints just a number: its file, without the extension
// ("iou" for "python3 tools/iou.py").
std::string metric_name(const std::vector<std::string>& words);

// Parses what a program printed: a number, which gets `name`, or a JSON object of names and
// numbers; null means no value. Errors: kExternalTool (anything else).
Result<std::vector<MetricValue>> parse_metric(std::string_view printed, const std::string& name);

// Runs `words` followed by the paths of the two files. Errors: kNotFound (no such program),
// kExternalTool (it fails, reported with the end of its stderr; or it prints anything else), kIo,
// kCancelled.
Result<std::vector<MetricValue>> run_metric(const std::vector<std::string>& words,
                                            const std::string& reference,
                                            const std::string& subject,
                                            const Cancellation& cancellation);

}  // namespace planex::drive
