// The operators of a model for which the ONNX parser found neither an importer nor a plugin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

// The parser treats every operator that it doesn't have as a plugin's, so "Plugin not found" ends
// logs with three causes: an ONNX operator that this version lacks, a plugin library that was not
// loaded, and a loaded one that has no such creator.
class MissingOperators {
 public:
  // Call for every line except verbose ones.
  void look_at(const LogLine& line);

  bool any() const { return !operators_.empty(); }
  // What is missing, and what to do. Call only if something is.
  std::string sentence() const;

 private:
  void add(std::string_view name);

  // Views into the log.
  std::vector<std::string_view> operators_, libraries_;
  std::string_view current_;      // the operator that the parser is at
  std::string_view wanted_;       // the plugin that it looked for
  bool is_in_its_check_ = false;  // the previous line names the check of the current operator
};

}  // namespace planex::ingest::tensorrt
