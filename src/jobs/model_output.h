// The model that a verb writes, with the files beside it: external weights, the record of how it
// was made, a calibration cache. Everything is written elsewhere first and put in place together.
// So Ctrl-C, an error or a full disk leave everything as it was, and no record ends up beside a
// different model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/scratch_file.h"
#include "drive/cancellation.h"
#include "jobs/job.h"
#include "planex/error.h"
#include "session/answer/format.h"

namespace planex::jobs {

class ModelOutput {
 public:
  // `output`: the final path of the model; "-": standard output, without a record. `source`: the
  // model that it is made from. Errors: kIo; kNotFound (no such folder); kUsage (separate weight
  // files and standard output, or none).
  static Result<ModelOutput> open(const std::string& output, const std::string& source,
                                  const Context& context);

  // The path to write the model to first. Not in the final folder: tune writes it several times.
  const std::string& staged() const { return staged_; }
  // Of the model as it was written; empty if none was. Errors: kIo.
  Result<std::string> sha256() const;
  bool is_standard_output() const { return output_ == "-"; }
  // Another output file of the same command: returns the path to write it to; it is put in place
  // with the model. Empty stays empty.
  std::string stage(const std::string& path);
  // The same for content in memory.
  void add(std::string path, std::string content);

  // Puts everything in place, or nothing. A request to stop is honored until the first file is
  // replaced, not after that. Errors: kIo; file is set, and everything is as it was. kCancelled:
  // the same.
  Result<void> commit(const drive::Cancellation& cancellation = {});
  // The same with the record of how the model was made beside it, in a file called after it:
  // ".cast.json". Without an output only the document is made. Errors: as above.
  Result<Answer> commit_with(const session::Writers& writers, std::string_view ending,
                             const Context& context);
  // Renames a temporary file in an error to the final file.
  Error settled(Error error) const;

 private:
  explicit ModelOutput(base::ScratchFolder folder) : folder_(std::move(folder)) {}
  Result<void> copy_weights(std::vector<std::pair<std::string, std::string>>& copies) const;

  base::ScratchFolder folder_;
  std::string output_, source_, staged_;
  std::function<Result<void>(std::string_view)> standard_output_;
  std::vector<std::pair<std::string, std::string>> staged_files_;  // temporary path, final path
  std::vector<std::pair<std::string, std::string>> contents_;      // path, content
};

}  // namespace planex::jobs
