// The files that a model consists of.
#pragma once

#include <string>
#include <vector>

namespace planex::drive {

// Files with the data of its tensors, as the model names them, that are below its folder; sorted.
// Empty if the model can't be read.
std::vector<std::string> model_data_files(const std::string& model);
// The same wherever they are: files that no command may overwrite. Empty if the file is not a
// model.
std::vector<std::string> all_model_data_files(const std::string& model);

}  // namespace planex::drive
