// One program at a time in a folder.
#pragma once

#include <string>

#include "planex/error.h"

namespace planex::drive {

// Held while the object lives; the system releases it if the program is killed. Its file is removed
// afterwards.
class RunLock {
 public:
  // Makes the folder. Errors: kIo (can't create the file); kUsage (another program holds the lock).
  static Result<RunLock> take(const std::string& folder);

  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&& other) = delete;
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock();

 private:
  RunLock(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_;
  std::string path_;
};

}  // namespace planex::drive
