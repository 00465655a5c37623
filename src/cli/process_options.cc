#include "cli/process_options.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "cli/file_options.h"

namespace planex::cli {

std::vector<std::string> engine_ids() {
  std::vector<std::string> ids;
  for (const drive::DriverInfo& driver : drive::drivers()) ids.emplace_back(driver.id);
  return ids;
}

std::vector<std::string> ProcessOptions::without_dashes(std::vector<std::string> words) {
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return words;
  after_dashes_.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return words;
}

void ProcessOptions::add(CLI::App& app, const char* model, std::vector<std::string> also) {
  reads_files(app.add_option("MODEL", request_.model, model))->type_name("");
  writes_folder(app.add_option("-o,--output", request_.output_dir, "The folder for the files"),
                std::move(also))
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--shape", request_.shapes, "Shape of an input; once per input")
      ->allow_extra_args(false)
      ->type_name("NAME=1x3x8x8");
  app.add_option("--threads", request_.threads, "Threads of one inference [1]")->type_name("N");
  app.add_option("--precision", request_.precision,
                 "fp32, bf16 or fp16 for what the model does not quantize [fp32]")
      ->type_name("TYPE");
  reads_files(
      app.add_option("--program", request_.program, "The engine's own program, such as trtexec"))
      ->type_name("PATH");
  reads_files(
      app.add_option("--python", request_.python,
                     "The Python that has the engine's package [that of planex's own environment, "
                     "else python3]"))
      ->type_name("PATH");
  app.add_option("--timeout", timeout_s_, "Ends a program of the engine that takes longer")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS");
  app.add_option("--launcher", launcher_,
                 "Prefix of every command, such as \"ssh host\" or \"srun -n 1\"")
      ->type_name("WORDS");
  app.add_option("--launcher-timeout", launcher_timeout_s_,
                 "How long the launcher may be silent before it runs anything, and while files are "
                 "copied [120]")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS");
  app.add_flag("--lock-clocks{auto}", lock_clocks_,
               "Hold the clocks while it runs, at what the device can sustain or "
               "at so many MHz; given back in any case. Needs the right to");
}

void ProcessOptions::add_words(CLI::App& app, const std::string& more) {
  app.add_option("FLAGS", words_,
                 "Words for the engine's own program, those with dashes after --; -- --help lists "
                 "them." +
                     more)
      ->type_name("");
}

Result<drive::ProcessRequest> ProcessOptions::request(const Environment& environment) {
  request_.program_dir = environment.program_dir;
  words_.insert(words_.end(), after_dashes_.begin(), after_dashes_.end());
  if (timeout_s_) {
    const std::chrono::duration<double> seconds(*timeout_s_);
    request_.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(seconds);
  }
  if (launcher_timeout_s_) {
    if (launcher_.empty()) {
      return planex::fail(ErrorCode::kUsage,
                          "--launcher-timeout is about the launcher, and --launcher is not given",
                          "--timeout limits a program of the engine");
    }
    const std::chrono::duration<double> seconds(*launcher_timeout_s_);
    request_.launcher_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(seconds);
  }
  std::size_t at = 0;
  while (at < launcher_.size()) {
    const std::size_t end = std::min(launcher_.find(' ', at), launcher_.size());
    if (end > at) request_.launcher.push_back(launcher_.substr(at, end - at));
    at = end + 1;
  }
  PLANEX_TRY(read_clocks());
  return request_;
}

Result<void> ProcessOptions::read_clocks() {
  request_.locks_clocks = !lock_clocks_.empty();
  if (lock_clocks_.empty() || lock_clocks_ == "auto") return {};
  std::int64_t mhz = 0;
  const char* const end = lock_clocks_.data() + lock_clocks_.size();
  const auto parsed = std::from_chars(lock_clocks_.data(), end, mhz);
  if (parsed.ec != std::errc() || parsed.ptr != end || mhz <= 0) {
    return planex::fail(ErrorCode::kUsage,
                        base::format("{} is no frequency of --lock-clocks, expected MHz",
                                     base::quoted(lock_clocks_)),
                        "such as --lock-clocks=1410, or --lock-clocks alone");
  }
  request_.clock_mhz = mhz;
  return {};
}

Error with_engine_hint(Error error) {
  if (error.code == ErrorCode::kUsage && error.hint.empty()) {
    error.hint = "planex process MODEL -- --help lists the engine's flags";
  }
  return error;
}

Result<int> after_interrupt(Result<int> code, const drive::InterruptScope& interrupt) {
  if (code) return code;
  if (code.error().code == ErrorCode::kCancelled && interrupt.signal() != 0) {
    print_error(code.error());
    return kExitSignal + interrupt.signal();
  }
  return fail(with_engine_hint(std::move(code).error()));
}

}  // namespace planex::cli
