#include <string>
#include <string_view>

#include "base/files.h"
#include "drive/inference_files.h"
#include "fuzz_targets.h"

namespace planex::fuzz {
namespace {

constexpr std::string_view kFile = "job.json";

// What was read is written, read again and written: to the same bytes.
template <typename Read, typename Write>
std::string read_and_write(std::string_view input, const Read& read, const Write& write) {
  const auto value = read(*base::make_bytes(input), std::string(kFile));
  if (!value) {
    const Error& error = value.error();
    if (error.message.empty()) return "an error without a message";
    if (error.file != kFile) return "an error that does not name the file";
    return error.code == ErrorCode::kInternal ? "a bug: " + error.message : std::string();
  }
  const std::string text = write(*value);
  const auto again = read(*base::make_bytes(text), std::string(kFile));
  if (!again) return "what was written is not read: " + again.error().message;
  return write(*again) == text ? "" : "it is not what was written";
}

constexpr auto kWriteJob = [](const auto& job) { return drive::job_json(job); };
constexpr auto kWriteResult = [](const auto& result) { return drive::result_json(result); };

}  // namespace

std::string run_inference_job(std::string_view input) {
  std::string problem = read_and_write(input, drive::read_inference_job, kWriteJob);
  return problem.empty() ? read_and_write(input, drive::read_picture_job, kWriteJob) : problem;
}

std::string run_inference_result(std::string_view input) {
  std::string problem = read_and_write(input, drive::read_inference_result, kWriteResult);
  return problem.empty() ? read_and_write(input, drive::read_picture_result, kWriteResult)
                         : problem;
}

}  // namespace planex::fuzz
