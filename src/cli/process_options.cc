#include "cli/process_options.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "cli/file_options.h"
#include "cli/verb_options.h"
#include "session/verbs/process.h"

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
  writes_folder(app.add_option("-o,--output", request_.output_dir, "Write the files to DIR"),
                std::move(also))
      ->type_name("DIR")
      ->capture_default_str();
  cli::add_options(app, session::options_of(request_));
  launcher_timeout_ = app.get_option("--launcher-timeout");
  app.add_flag("--lock-clocks{auto}", lock_clocks_,
               "Lock the clocks during the run, at what the device can sustain or at VALUE MHz, "
               "and always reset them afterwards. Needs permission to lock clocks");
}

void ProcessOptions::add_words(CLI::App& app, const std::string& more) {
  app.add_option("FLAGS", words_,
                 "Options for the engine's own program; those with dashes go after --. -- --help "
                 "lists them." +
                     more)
      ->type_name("");
}

Result<drive::ProcessRequest> ProcessOptions::request(const Environment& environment) {
  request_.program_dir = environment.program_dir;
  words_.insert(words_.end(), after_dashes_.begin(), after_dashes_.end());
  if (launcher_timeout_->count() > 0 && request_.launcher.empty()) {
    return planex::fail(ErrorCode::kUsage, "--launcher-timeout needs --launcher",
                        "--timeout limits the engine's program");
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
                        base::format("{} is not a frequency for --lock-clocks, expected MHz",
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
