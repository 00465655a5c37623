// planex-openvino: compiles a model with OpenVINO for the CPU, times it, and writes the result;
// runs models on samples, and makes samples from pictures. It is a separate program, so that planex
// links no inference library and survives its crashes.
//
// Exit: 0 done; 2 usage; 4 anything else. The last line on stderr is then one JSON object
// (planex.driver-error/1). Progress goes to stdout, or --progress-fd, one JSON object per line.
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "drive/openvino_driver/infer.h"
#include "drive/openvino_driver/json_files.h"
#include "drive/openvino_driver/options.h"
#include "drive/openvino_driver/pictures.h"
#include "drive/openvino_driver/run.h"
#include "planex/version.h"

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitFailed = 4;

void write_line(int fd, std::string text) {
  text += '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // Nobody reads it.
    done += static_cast<std::size_t>(count);
  }
}

int fail_with(std::string_view phase, const planex::Error& error, int exit_code) {
  write_line(STDERR_FILENO, planex::drive::error_json(phase, error));
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // If planex is killed, it can no longer stop this process.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  planex::base::survive_shortened_files();
  // Exceeding a file size limit is a write error, also if another program starts this one.
  ::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto options = planex::drive::parse_options(words);
  if (!options) return fail_with("usage", options.error(), kExitUsage);
  if (options->help) {
    std::fputs(planex::drive::help_text().c_str(), stdout);
    return 0;
  }
  if (options->version) {
    std::printf("planex-openvino %s, OpenVINO %s\n", PLANEX_VERSION,
                planex::drive::runtime_version().c_str());
    return 0;
  }
  // Before OpenVINO starts: oneDNN reads the variable only once.
  if (!options->isa.empty()) ::setenv("ONEDNN_MAX_CPU_ISA", options->isa.c_str(), 1);

  const auto report = [&](std::string_view phase, double done) {
    write_line(options->progress_fd, planex::drive::progress_json(phase, done));
  };
  std::string phase;
  const auto done = [&]() -> planex::Result<void> {
    switch (options->mode) {
      case planex::drive::Mode::kInfer:
        return planex::drive::run_inference_job(options->job, report, phase);
      case planex::drive::Mode::kPrepare:
        return planex::drive::run_picture_job(options->job, report, phase);
      case planex::drive::Mode::kMeasure:
        break;
    }
    return planex::drive::run(*options, report, phase);
  }();
  // Skip OpenVINO's last destructors: they can do nothing useful any more, only crash.
  std::_Exit(done ? 0 : fail_with(phase, done.error(), kExitFailed));
}
