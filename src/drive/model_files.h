// The files that a model consists of.
#pragma once

#include <string>
#include <vector>

namespace planex::drive {

// Files with the data of its tensors, as the model names them, that lie below its folder; sorted.
// None where it can't be read.
std::vector<std::string> model_data_files(const std::string& model);
// The same wherever they lie: those that no command may write over. None of what is no model.
std::vector<std::string> all_model_data_files(const std::string& model);

}  // namespace planex::drive
