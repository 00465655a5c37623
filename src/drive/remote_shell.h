// One shell behind a launcher ("ssh box", "docker exec -i trt", "srun"): it runs programs there,
// and files are copied in and out through its stdin and stdout. The launcher is started once, with
// only the word `sh` added, so nothing depends on how it quotes words.
//
// What runs there ends, and what was made there is removed, when planex ends in any way: the shell
// treats the end of its stdin as the signal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "drive/child_process.h"
#include "drive/subprocess.h"
#include "planex/error.h"

namespace planex::drive {

class RemoteShell {
 public:
  // `patience`: how long it can be silent when an answer is due. Errors: kNotFound (no such
  // launcher), kExternalTool (it starts no shell, has no stdin, or is silent), kCancelled.
  static Result<std::unique_ptr<RemoteShell>> open(const std::vector<std::string>& launcher,
                                                   std::chrono::milliseconds patience,
                                                   const Cancellation& cancellation);
  RemoteShell(const RemoteShell&) = delete;
  RemoteShell& operator=(const RemoteShell&) = delete;
  // Waits until everything there is cleaned up.
  ~RemoteShell();

  // Makes a folder that is removed with the shell, and returns its path. Errors: as run_line().
  Result<std::string> make_folder(const Cancellation& cancellation);
  // Runs one line of shell code. Returns its stdout; nothing if its exit code is not 0. Errors:
  // kExternalTool (the connection is gone), kCancelled.
  Result<std::optional<std::string>> ask(const std::string& line, const Cancellation& cancellation);
  // Copies a file there. Errors: kIo, kExternalTool, kCancelled.
  Result<void> put(const std::string& local, const std::string& remote,
                   const Cancellation& cancellation);
  Result<void> put_text(std::string_view text, const std::string& remote,
                        const Cancellation& cancellation);
  // Copies a file from there. Errors: kNotFound, kIo, kExternalTool, kCancelled.
  Result<void> get(const std::string& remote, const std::string& local,
                   const Cancellation& cancellation);
  // As run_subprocess(). A shell reports a signal as exit code 128 + its number; the outcome
  // reports it as a signal.
  Result<SubprocessOutcome> run(const SubprocessRequest& request, const Cancellation& cancellation);

 private:
  struct LineEnd {
    std::optional<int> exit_code;  // Nothing: the shell is gone.
    Ending ending = Ending::kExited;
  };
  using Take = std::function<void(std::string_view chunk)>;

  // Finds the marks in one stream: "\n", the mark, a blank, an exit code, "\n".
  class Marks {
   public:
    explicit Marks(const std::string& mark) : mark_("\n" + mark + " ") {}
    // Passes the rest on.
    void add(std::string_view chunk, const Take& take);
    int count() const { return count_; }
    int exit_code() const { return exit_code_; }

   private:
    std::size_t partial_mark() const;

    std::string mark_;
    std::string held_;
    int count_ = 0;
    int exit_code_ = 0;
  };

  RemoteShell(std::vector<std::string> launcher, std::chrono::milliseconds patience,
              ChildProcess child);

  // Sends a line followed by `content`, and passes on what comes back, up to its end. `patience`:
  // how long nothing can go there or come back; no limit for a program, which may be silent.
  Result<LineEnd> exchange(const std::string& line, std::string_view content, const Take& on_stdout,
                           const SubprocessRequest& limits,
                           std::optional<std::chrono::milliseconds> patience,
                           const Cancellation& cancellation);
  Result<int> run_line(const std::string& line, std::string_view content, const Take& on_stdout,
                       const Cancellation& cancellation);
  Failure gone();
  Failure silent();

  std::vector<std::string> launcher_;
  std::chrono::milliseconds patience_;
  ChildProcess child_;
  StderrTail stderr_{std::size_t{16} << 10};
  std::string mark_;  // Precedes each exit code; no one else can write it.
  Marks stdout_marks_;
  Marks stderr_marks_;
  bool passes_stderr_ = true;
  bool is_gone_ = false;
};

}  // namespace planex::drive
