// The commands that do by hand what `planex optimize` did. Run one after the other in one folder,
// those of the steps that were kept give the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "drive/driver.h"
#include "jobs/data_options.h"
#include "jobs/optimize/recipe.h"
#include "session/verbs/option.h"

namespace planex::jobs {

const std::string& model_by_hand(const Recipe& recipe);

// The file that a command makes of a model: "nets/net.onnx" and "int8" are "net.int8.onnx".
std::string file_by_hand(std::string_view model, std::string_view what);

// " --data … --prep …": what differs from the defaults.
std::string data_by_hand(const DataOptions& data);

// "planex optimize MODEL … -o again/": what differs from the defaults, except for where programs of
// a machine are.
std::string search_by_hand(const std::string& model, const session::Options& options,
                           const session::Options& plain);

// "planex process …": builds and measures what a recipe says, with what is the same for all.
std::string process_by_hand(const drive::ProcessRequest& process, const Recipe& recipe);

}  // namespace planex::jobs
