// The model that a verb writes, with what lies beside it: weights in files of their own, the record
// of how it was made, a calibration cache. All is made elsewhere and put in place together, so that
// Ctrl-C, an error or a full disk leave everything as it was, and no record lies beside another
// model.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/scratch_file.h"
#include "drive/cancellation.h"
#include "planex/error.h"

namespace planex::cli {

class ModelOutput {
 public:
  // `output`: where the model is to be in the end; "-": standard output, with no record beside it.
  // `source`: the model that it is made of. Errors: kIo; kUsage (weights in files of their own, and
  // standard output).
  static Result<ModelOutput> open(const std::string& output, const std::string& source);

  // Where the model is to be made. Not beside the other: tune writes it several times.
  const std::string& staged() const { return staged_; }
  // Of the model as it was made; empty where none was. Errors: kIo.
  Result<std::string> sha256() const;
  bool is_standard_output() const { return output_ == "-"; }
  // Another file of the same command that is made here and put in place with the model. Empty
  // stays empty.
  std::string stage(const std::string& path);
  // The same for content that is at hand.
  void add(std::string path, std::string content);

  // Puts all in place, or nothing: who asks to stop is heard until the first file is replaced, and
  // then no more. Errors: kIo; file is set, and all is as it was. kCancelled: the same.
  Result<void> commit(const drive::Cancellation& cancellation = {});
  // An error that names a file of the folder is about the file that it was to become.
  Error settled(Error error) const;

 private:
  explicit ModelOutput(base::ScratchFolder folder) : folder_(std::move(folder)) {}
  Result<void> copy_weights(std::vector<std::pair<std::string, std::string>>& copies) const;

  base::ScratchFolder folder_;
  std::string output_, source_, staged_;
  std::vector<std::pair<std::string, std::string>> staged_files_;  // made here, and where they go
  std::vector<std::pair<std::string, std::string>> contents_;      // path, content
};

}  // namespace planex::cli
