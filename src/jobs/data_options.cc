#include "jobs/data_options.h"

#include <charconv>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/metric_program.h"

namespace planex::jobs {

session::Options options_of(DataOptions& request) { return {PLANEX_DATA_OPTIONS(PLANEX_BIND)}; }

Result<tune::DataRequest> data_request(const DataOptions& options) {
  tune::DataRequest request{.path = options.path,
                            .preparation = options.preparation,
                            .seed = options.seed,
                            .labels = options.labels,
                            .preview_dir = options.preview};
  for (const std::string& text : options.shapes) {
    const std::size_t equals = text.rfind('=');
    std::vector<std::int64_t> dims;
    std::string_view rest = equals == std::string::npos ? std::string_view()
                                                        : std::string_view(text).substr(equals + 1);
    bool is_good = !rest.empty();
    while (!rest.empty() && is_good) {
      const std::string_view part = base::take_part(rest, 'x');
      std::int64_t dim = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), dim);
      is_good = error == std::errc() && end == part.data() + part.size() && dim > 0;
      dims.push_back(dim);
    }
    if (!is_good) {
      return fail(ErrorCode::kUsage, base::format("--shape {} is not a shape", base::quoted(text)),
                  "NAME=1x3x224x224");
    }
    request.shapes.emplace_back(text.substr(0, equals), std::move(dims));
  }
  return request;
}

Result<void> check_metrics(const std::vector<std::string>& metrics) {
  for (const std::string& metric : metrics) {
    const std::vector<std::string> words = drive::metric_words(metric);
    if (words.empty()) {
      return fail(ErrorCode::kUsage, "--metric names no program",
                  "./iou.py, or \"python3 iou.py\"");
    }
    // Fail before minutes of work. A name without a folder is searched for when it is started.
    if (words.front().contains('/') &&
        base::disk().kind(words.front()) == base::PathKind::kMissing) {
      return fail({.code = ErrorCode::kNotFound,
                   .message = "no such file: it should be the program of --metric",
                   .file = words.front()});
    }
  }
  return {};
}

}  // namespace planex::jobs
