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

  // As the programs see it: the file `name` of the workspace's folder.
  virtual std::string path(std::string_view name) const = 0;
  // Whether the programs see other files than planex does.
  virtual bool is_elsewhere() const = 0;
  // A file of this machine with whatever files belong beside it (`companions`, by their names
  // relative to its folder), for the programs: its path there.
  // Errors: kIo, kExternalTool, kCancelled.
  virtual Result<std::string> bring(const std::string& local,
                                    const std::vector<std::string>& companions,
                                    const Cancellation& cancellation) = 0;
  // A small file in the workspace's folder; its path there. Errors: as bring().
  virtual Result<std::string> write(std::string_view name, std::string_view text,
                                    const Cancellation& cancellation) = 0;
  virtual Result<SubprocessOutcome> run(const SubprocessRequest& request,
                                        const Cancellation& cancellation) = 0;
  // Copies those of these files that are there into the folder for the results, where they are not
  // there already. Errors: kIo, kExternalTool, kCancelled.
  virtual Result<void> fetch(const std::vector<std::string>& names,
                             const Cancellation& cancellation) = 0;
};

// Words before each command, and how long they may be silent where an answer is due.
struct Launcher {
  const std::vector<std::string>& words;
  std::chrono::milliseconds patience;
};

// `folder`: for the results; it exists. With a launcher that sees it, too (srun with a shared disk,
// nice, env), nothing is copied.
// Errors: kNotFound, kExternalTool (the launcher), kCancelled.
Result<std::unique_ptr<Workspace>> open_workspace(const std::string& folder,
                                                  const Launcher& launcher,
                                                  const Cancellation& cancellation);

// Runs programs, where the launcher leads, and writes nothing: to plan a run whose files will be in
// `folder`. Errors: as open_workspace().
Result<std::unique_ptr<Workspace>> plan_workspace(const std::string& folder,
                                                  const Launcher& launcher,
                                                  const Cancellation& cancellation);

}  // namespace planex::drive
