#include "tune/model_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "drive/model_files.h"
#include "onnx/attributes.h"
#include "onnx/likeness.h"
#include "onnx/read.h"
#include "onnx/upgrade.h"
#include "tune/joined_output.h"

namespace planex::tune {
namespace {

namespace fs = std::filesystem;

std::optional<arrays::ElementType> element_type_of(onnx::DataType type) {
  using arrays::ElementType;
  switch (type) {
    case onnx::DataType::kBool:
      return ElementType::kBool;
    case onnx::DataType::kInt8:
      return ElementType::kInt8;
    case onnx::DataType::kUint8:
      return ElementType::kUint8;
    case onnx::DataType::kInt32:
      return ElementType::kInt32;
    case onnx::DataType::kInt64:
      return ElementType::kInt64;
    case onnx::DataType::kFloat16:
      return ElementType::kFloat16;
    case onnx::DataType::kBfloat16:
      return ElementType::kBfloat16;
    case onnx::DataType::kFloat:
      return ElementType::kFloat32;
    case onnx::DataType::kDouble:
      return ElementType::kFloat64;
    default:
      return std::nullopt;
  }
}

bool squashes(std::string_view op_type) {
  return op_type == "Softmax" || op_type == "LogSoftmax" || op_type == "Sigmoid";
}

bool gives_classes(const onnx::Node& node) {
  return node.op_type == "Gemm" || node.op_type == "MatMul" || node.op_type == "Add";
}

// Operators that output the same values in the same order.
bool keeps_values(std::string_view op_type) {
  return op_type == "Identity" || op_type == "Reshape" || op_type == "Flatten" ||
         op_type == "Squeeze" || op_type == "Unsqueeze";
}

// `output` has the shape of what the Softmax writes, but for `is_reshaped`.
bool is_over_last(const onnx::Model& model, const onnx::Node& softmax, const onnx::Value& output,
                  bool is_reshaped) {
  const onnx::Attribute* axis = onnx::find_attribute(model, softmax, "axis");
  // Before opset 13 the axis is where flattening begins, by default after the first.
  constexpr std::int64_t kNewMeaning = 13;
  const std::int64_t opset = model.graphs.front().opset;
  const std::int64_t given =
      axis == nullptr ? (opset < kNewMeaning ? 1 : -1) : onnx::int_of(*axis).value_or(-1);
  const auto rank = static_cast<std::int64_t>(model.dims_of(output).size());
  return given == -1 || (!is_reshaped && output.has_shape && given == rank - 1);
}

}  // namespace

Error about_model(Error error, const std::string& model) {
  const bool is_of_input =
      error.code == ErrorCode::kBadInput || error.code == ErrorCode::kUnsupported;
  if (is_of_input && error.file.empty()) error.file = model;
  return error;
}

bool is_model(const std::string& path) {
  if (path.empty() || base::disk().kind(path) != base::PathKind::kFile) return false;
  constexpr std::size_t kHeadBytes = 65536;
  const auto head = base::disk().read_head(path, kHeadBytes);
  return head && onnx::likeness(*head) == onnx::Likeness::kStrong;
}

Result<std::unique_ptr<ModelFile>> ModelFile::open(const std::string& path) {
  std::unique_ptr<ModelFile> file(new ModelFile);
  file->path_ = path;
  PLANEX_ASSIGN(file->bytes_, base::disk().read(path, base::Access::kSparse));
  PLANEX_TRY(file->read());
  return file;
}

Result<void> ModelFile::read() {
  auto model = onnx::read_model(bytes_->view());
  if (!bytes_->is_intact()) return fail(base::changed_error(path_));
  if (!model) {
    Error error = model.error();
    error.file = path_;
    return fail(std::move(error));
  }
  model_ = std::move(*model);
  links_ = std::make_unique<onnx::Links>(model_);
  values_ = std::make_unique<onnx::Values>(bytes_->view(), model_, base::disk(),
                                           std::string(base::folder_of(path_)));
  return {};
}

Result<std::unique_ptr<ModelFile>> ModelFile::raised(std::int64_t opset) {
  onnx::Edit edit;
  PLANEX_TRY(onnx::upgrade(model_, *links_, *values_, opset, edit));
  PLANEX_ASSIGN(std::string text, changed(edit));
  std::unique_ptr<ModelFile> file(new ModelFile);
  file->path_ = path_;
  file->bytes_ = base::adopt_bytes(std::move(text));
  PLANEX_TRY(file->read());
  return file;
}

Result<void> link_data(const std::string& model, const std::string& folder) {
  const fs::path from(base::folder_of(model)), to(folder);
  for (const std::string& name : drive::model_data_files(model)) {
    std::error_code code;
    const fs::path source = from / name, target = to / name;
    // From the model that was written before.
    if (fs::exists(target, code)) continue;
    fs::create_directories(target.parent_path(), code);
    // The target of a link: the link itself would point elsewhere from here.
    const fs::path real = fs::canonical(source, code);
    if (!code) fs::create_hard_link(real, target, code);
    if (code) fs::copy_file(source, target, code);
    if (code) {
      return fail(
          {.code = ErrorCode::kIo,
           .message = base::format("can't copy the model's external data: {}", code.message()),
           .file = target.string()});
    }
  }
  return {};
}

Result<void> ModelFile::write(const onnx::Edit& edit, const std::string& path) const {
  PLANEX_ASSIGN(base::FileWriter writer, base::FileWriter::create(path));
  PLANEX_TRY(onnx::write_edited(
      bytes_->view(), model_, edit,
      [&](std::string_view piece) -> Result<void> { return writer.write(piece); }));
  if (!bytes_->is_intact()) return fail(base::changed_error(path_));
  PLANEX_TRY(link_data(path_, std::string(base::folder_of(path))));
  return writer.finish();
}

Result<std::string> ModelFile::changed(const onnx::Edit& edit) const {
  PLANEX_ASSIGN(std::string text, onnx::edited(bytes_->view(), model_, edit));
  if (!bytes_->is_intact()) return fail(base::changed_error(path_));
  return text;
}

std::string node_name(const onnx::Model& model, onnx::Index node) {
  if (node == onnx::kNoIndex) return {};
  const onnx::Node& found = model.nodes[node];
  if (!found.name.empty()) return std::string(found.name);
  const auto outputs = model.outputs_of(found);
  return base::format("{} ({})", outputs.empty() ? std::string_view() : outputs.front(),
                      found.op_type);
}

Result<std::vector<ModelInput>> inputs_of(const onnx::Model& model) {
  std::vector<ModelInput> inputs;
  const onnx::Graph& graph = model.graphs.front();
  for (const onnx::Value& value : model.values_of(graph)) {
    if (value.role != onnx::ValueRole::kInput) continue;
    const auto initializers = model.initializers_of(graph);
    if (std::ranges::find(initializers, value.name, &onnx::Tensor::name) != initializers.end())
      continue;
    const auto type = element_type_of(value.type);
    if (value.kind != onnx::ValueKind::kTensor || !type) {
      return fail(
          ErrorCode::kUnsupported,
          base::format(
              "input {} is {}, for which samples are not supported", base::quoted(value.name),
              value.kind == onnx::ValueKind::kTensor ? to_string(value.type) : "not a tensor"));
    }
    ModelInput input{.name = std::string(value.name), .type = *type, .has_shape = value.has_shape};
    for (const onnx::Dim& dim : model.dims_of(value)) input.dims.push_back(dim.value);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::string shape_text(const ModelInput& input) {
  if (!input.has_shape) return "of unknown rank";
  std::string text;
  for (const std::int64_t dim : input.dims) {
    text += base::format("{}{}", text.empty() ? "" : "x", dim < 0 ? "?" : std::to_string(dim));
  }
  return text.empty() ? "scalar" : text;
}

std::vector<JudgedOutput> judged_outputs(const onnx::Model& model, const onnx::Links& links,
                                         bool as_returned) {
  std::vector<JudgedOutput> outputs;
  for (const onnx::Value& value : model.values_of(model.graphs.front())) {
    if (value.role != onnx::ValueRole::kOutput) continue;
    JudgedOutput judged;
    judged.output = value.name;
    std::string_view name = value.name;
    // Skips steps that change no value, which exporters leave at the end.
    constexpr int kMaxSteps = 8;
    bool is_behind = false, is_reshaped = false;
    for (int step = 0; step < kMaxSteps; ++step) {
      const onnx::Link* link = links.find(name);
      if (link == nullptr || link->node == onnx::kNoIndex) break;
      const onnx::Node& node = model.nodes[link->node];
      if (!onnx::is_default_domain(node.domain) || node.inputs.count == 0) break;
      if (!is_behind && squashes(node.op_type)) {
        is_behind = true;
        judged.has_classes =
            node.op_type != "Sigmoid" && is_over_last(model, node, value, is_reshaped);
      } else if (!is_behind && keeps_values(node.op_type)) {
        is_reshaped = is_reshaped || node.op_type != "Identity";
      } else if (node.op_type != "Identity") {
        if (!is_behind)
          judged.has_classes =
              !is_reshaped && gives_classes(node) && model.dims_of(value).size() == 2;
        break;
      }
      name = model.inputs_of(node).front();
    }
    judged.tensor = (is_behind || !is_reshaped) && !as_returned ? name : value.name;
    judged.split = joined_split(model, links, judged.tensor);
    outputs.push_back(std::move(judged));
  }
  return outputs;
}

void add_splits(drive::InferencePass& pass, const std::vector<JudgedOutput>& outputs) {
  for (const JudgedOutput& output : outputs) pass.splits.push_back({output.tensor, output.split});
}

}  // namespace planex::tune
