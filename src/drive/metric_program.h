// A measure of results that planex does not know: a program of the user's, which is handed two
// files and prints a number.
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
  std::optional<double> value;  // null: NaN or infinite, as a share of nothing is
};

// The program and its first arguments, cut at spaces; a file of that name in the working folder
// comes before one in PATH. Empty where there is no word.
std::vector<std::string> metric_words(std::string_view text);

// What the values of a program are called that prints a number alone: its file, without the ending
// ("iou" of "python3 tools/iou.py").
std::string metric_name(const std::vector<std::string>& words);

// What a program printed: a number, which gets `name`, or a JSON object of names and numbers; null
// is no value. Errors: kExternalTool (anything else).
Result<std::vector<MetricValue>> parse_metric(std::string_view printed, const std::string& name);

// Runs `words` with the paths of the two files behind them. Errors: kNotFound (no such program),
// kExternalTool (it fails: with the end of its stderr; what it prints is none of the above), kIo,
// kCancelled.
Result<std::vector<MetricValue>> run_metric(const std::vector<std::string>& words,
                                            const std::string& reference,
                                            const std::string& subject,
                                            const Cancellation& cancellation);

}  // namespace planex::drive
