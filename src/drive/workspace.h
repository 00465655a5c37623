// Where the programs of a run leave their files: a folder here, or one on another machine that a
// launcher leads to.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "drive/subprocess.h"
#include "planex/error.h"

namespace planex::drive {

class Workspace {
 public:
  virtual ~Workspace() = default;

  // The file `name` of the workspace's folder, as the programs see it.
  virtual std::string path(std::string_view name) const = 0;
  // Whether the programs see different files than planex does.
  virtual bool is_elsewhere() const = 0;
  // Makes a file of this machine available to the programs, with the files that belong beside it
  // (`companions`, by their names relative to its folder). Returns its path there.
  // Errors: kIo, kExternalTool, kCancelled.
  virtual Result<std::string> bring(const std::string& local,
                                    const std::vector<std::string>& companions,
                                    const Cancellation& cancellation) = 0;
  // Writes a small file into the workspace's folder and returns its path there. Errors: as bring().
  virtual Result<std::string> write(std::string_view name, std::string_view text,
                                    const Cancellation& cancellation) = 0;
  virtual Result<SubprocessOutcome> run(const SubprocessRequest& request,
                                        const Cancellation& cancellation) = 0;
  // Copies those of these files that exist into the folder for the results, unless they are already
  // there. Errors: kIo, kExternalTool, kCancelled.
  virtual Result<void> fetch(const std::vector<std::string>& names,
                             const Cancellation& cancellation) = 0;
};

// Words before each command, and how long they can be silent when an answer is due.
struct Launcher {
  const std::vector<std::string>& words;
  std::chrono::milliseconds patience;
};

// `folder`: for the results; it exists. Nothing is copied if the launcher sees it, too (srun with a
// shared disk, nice, env).
// Errors: kNotFound, kExternalTool (the launcher), kCancelled.
Result<std::unique_ptr<Workspace>> open_workspace(const std::string& folder,
                                                  const Launcher& launcher,
                                                  const Cancellation& cancellation);

// Runs programs where the launcher leads and writes nothing: for planning a run whose files will be
// in `folder`. Errors: as open_workspace().
Result<std::unique_ptr<Workspace>> plan_workspace(const std::string& folder,
                                                  const Launcher& launcher,
                                                  const Cancellation& cancellation);

}  // namespace planex::drive
