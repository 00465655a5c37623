#include "cli/quantize_options.h"

#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/command.h"
#include "cli/file_options.h"
#include "quantize/placement_rules.h"

namespace planex::cli {

void QuantizeOptions::add(CLI::App& app, std::vector<std::string> record) {
  reads_files(app.add_option("MODEL", request_.model, "The float model, as ONNX"))->required();
  data_.add(app);
  writes_output(app.add_option("-o,--output", request_.output, "Write the quantized model to FILE"),
                std::move(record))
      ->required()
      ->type_name("FILE");
  app.add_option("--target", target_, "The engine to quantize for; decides where Q/DQ go")
      ->check(CLI::IsMember({"openvino", "tensorrt", "tensorrt-rtx", "onnxruntime"}))
      ->capture_default_str();
  app.add_option("--method", method_,
                 "How to choose scales: auto judges each method on held-back samples; minmax, "
                 "percentile:99.99, kl (as TensorRT), mse")
      ->capture_default_str()
      ->type_name("METHOD");
  app.add_option("--samples", request_.samples.calibration_limit,
                 "Calibrate with at most this many samples")
      ->capture_default_str()
      ->check(count_from_one());
  reads_files(app.add_option("--judge", judge_path_,
                             "Judge on these samples [samples held back from --data]"),
              FileRole::kReadsAll)
      ->type_name("PATH");
  app.add_option("--judge-samples", request_.samples.judge_limit,
                 "Judge on at most this many samples")
      ->capture_default_str()
      ->check(count_from_zero());
  add_metric_option(app, request_.metrics);
  reads_files(
      app.add_option("--keep", kept_,
                     "Keep this node in float, by name; @FILE: the nodes in FILE, one per line"),
      FileRole::kReadsWords)
      ->allow_extra_args(false)
      ->type_name("NODE");
  app.add_option("--only-op", request_.placement.op_types,
                 "Quantize only this operator [those that the target gains from]")
      ->check(CLI::IsMember({"Conv", "ConvTranspose", "Gemm", "MatMul"}).description(""))
      ->allow_extra_args(false)
      ->type_name("Conv|ConvTranspose|Gemm|MatMul");
  app.add_option("--weight-bits", weight_bits_,
                 "8, or 7 to avoid 16-bit saturation on CPUs without VNNI")
      ->check(CLI::IsMember({"auto", "8", "7"}))
      ->capture_default_str();
  app.add_option("--opset", request_.opset, "Raise the model to this opset (13 or more)")
      ->type_name("N");
  writes_file(
      app.add_option("--cache", request_.cache,
                     "Also write a TensorRT calibration cache (implicit INT8, up to 10.16)"))
      ->type_name("FILE");
  app.add_option("--threads", threads_, "CPU threads")->capture_default_str();
  app.add_option("--format", format_, "Output format")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

Result<tune::QuantizeRequest> QuantizeOptions::request(std::string_view example,
                                                       DataNeed need) const {
  tune::QuantizeRequest request = request_;
  if (need == DataNeed::kAlways && !data_.is_given()) {
    return fail(ErrorCode::kUsage, "--data is required", std::string(example));
  }
  PLANEX_TRY(check_metrics(request.metrics));
  PLANEX_ASSIGN(request.samples.data, data_.request());
  if (!judge_path_.empty()) {
    request.samples.judge_data = request.samples.data;
    request.samples.judge_data->path = judge_path_;
    request.samples.judge_data->preview_dir.clear();
    request.samples.data.labels.clear();  // the samples to judge on have the labels
  }
  request.samples.is_judged = request.samples.judge_limit > 0;
  PLANEX_ASSIGN(request.placement.kept, node_names(kept_));
  request.placement.target = *quantize::target_of(target_);
  if (method_ != "auto") {
    PLANEX_ASSIGN(request.method, quantize::parse_method(method_));
  }
  if (weight_bits_ != "auto") request.weight_bits = weight_bits_ == "7" ? 7 : 8;
  return request;
}

View QuantizeOptions::view() const {
  View view{.format = format_ == "json" ? Format::kJson : Format::kText};
  view.width = static_cast<int>(terminal_width(1));
  view.color = wants_color("auto", 1);
  return view;
}

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

}  // namespace planex::cli
