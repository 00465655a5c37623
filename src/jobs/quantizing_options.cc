#include "jobs/quantizing_options.h"

#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/placement_rules.h"
#include "quantize/thresholds.h"

namespace planex::jobs {
namespace {

// The words, and those in files: "@FILE" has one per line.
Result<std::vector<std::string>> node_names(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    if (!word.starts_with('@')) {
      names.push_back(word);
      continue;
    }
    PLANEX_ASSIGN(const auto bytes, base::disk().read(word.substr(1)));
    std::string_view rest = bytes->view();
    while (!rest.empty()) {
      std::string_view line = base::take_part(rest, '\n');
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty()) names.emplace_back(line);
    }
  }
  return names;
}

Result<tune::SplitRequest> samples_of(const QuantizingOptions& options) {
  PLANEX_ASSIGN(tune::DataRequest data, data_request(options.data));
  tune::SplitRequest samples{.calibration_limit = options.samples,
                             .judge_limit = options.judge_samples,
                             .is_judged = options.judge_samples > 0};
  if (!options.judge.empty()) {
    samples.judge_data = data;
    samples.judge_data->path = options.judge;
    samples.judge_data->preview_dir.clear();
    data.labels.clear();  // the samples to judge on have the labels
  }
  samples.data = std::move(data);
  return samples;
}

}  // namespace

session::Options options_of(QuantizingOptions& request, std::string_view record) {
  session::Options options = {PLANEX_MODEL_TO_QUANTIZE(PLANEX_BIND)};
  add(options, options_of(request.data));
  session::Options own = {PLANEX_QUANTIZING_OPTIONS(PLANEX_BIND)};
  own.front().how.also = {record};
  add(options, std::move(own));
  return options;
}

Result<tune::QuantizeRequest> quantize_request(const QuantizingOptions& options, bool needs_data,
                                               std::string_view example) {
  if (needs_data && !options.data.is_given()) {
    return fail(ErrorCode::kUsage, "--data is required", std::string(example));
  }
  PLANEX_TRY(check_metrics(options.metrics));
  tune::QuantizeRequest request{.model = options.model,
                                .output = options.output,
                                .cache = options.cache,
                                .metrics = options.metrics,
                                .opset = options.opset.value_or(0)};
  PLANEX_ASSIGN(request.samples, samples_of(options));
  PLANEX_ASSIGN(request.placement.kept, node_names(options.kept));
  request.placement.op_types = options.only_ops;
  request.placement.target = *quantize::target_of(options.target);
  if (options.method != "auto") {
    PLANEX_ASSIGN(request.method, quantize::parse_method(options.method));
  }
  if (options.weight_bits != "auto") request.weight_bits = options.weight_bits == "7" ? 7 : 8;
  return request;
}

}  // namespace planex::jobs
