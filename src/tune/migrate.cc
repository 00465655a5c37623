#include "tune/migrate.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "quantize/layer_precisions.h"

namespace planex::tune {
namespace {

using base::format;
using onnx::DataType;
using trtexec::IoFormat;
using trtexec::MigratedOption;
using trtexec::OptionChange;

struct TypeName {
  std::string_view name;
  DataType type = DataType::kUndefined;
};
constexpr std::array<TypeName, 10> kTypeNames = {{{"fp32", DataType::kFloat},
                                                  {"fp16", DataType::kFloat16},
                                                  {"bf16", DataType::kBfloat16},
                                                  {"int32", DataType::kInt32},
                                                  {"int64", DataType::kInt64},
                                                  {"int8", DataType::kInt8},
                                                  {"uint8", DataType::kUint8},
                                                  {"bool", DataType::kBool},
                                                  {"fp8", DataType::kFloat8E4M3FN},
                                                  {"int4", DataType::kInt4}}};

DataType type_called(std::string_view name) {
  const auto found = std::ranges::find(kTypeNames, name, &TypeName::name);
  return found == kTypeNames.end() ? DataType::kUndefined : found->type;
}

bool is_option(const MigratedOption& option, std::string_view name) {
  std::string_view bare = option.option;
  bare.remove_prefix(std::min(bare.find_first_not_of('-'), bare.size()));
  return bare.substr(0, bare.find('=')) == name;
}

class TakeOver {
 public:
  TakeOver(trtexec::Migration& migration, const onnx::Model& model, std::optional<DataType> type,
           quantize::CastOptions& options)
      : migration_(migration), model_(model), type_(type), options_(options) {}

  Result<std::vector<std::string>> run() {
    if (migration_.has_fp16 && migration_.has_bf16) {
      note(
          format("the build chose between fp16 and bf16 per layer; now all layers use {}: --to "
                 "selects the type",
                 type_ == DataType::kFloat16 ? "fp16" : "bf16"));
    }
    if (type_) PLANEX_TRY(layers());
    PLANEX_TRY(formats("inputIOFormats", migration_.inputs, onnx::ValueRole::kInput));
    PLANEX_TRY(formats("outputIOFormats", migration_.outputs, onnx::ValueRole::kOutput));
    lose_int8();
    return std::move(notes_);
  }

 private:
  void note(std::string words) { notes_.push_back(std::move(words)); }

  Result<void> layers() {
    const bool has_layers =
        !migration_.layer_precisions.empty() || !migration_.layer_output_types.empty();
    if (!has_layers) return {};
    if (!migration_.has_constraints) {
      note(
          "without --precisionConstraints=obey or prefer the old build ignored the types of "
          "layers; here they are used");
    }
    return take_layers(migration_.layer_precisions, migration_.layer_output_types, model_, *type_,
                       options_, notes_);
  }

  MigratedOption* option(std::string_view name) {
    const auto found = std::ranges::find_if(
        migration_.options, [&](const MigratedOption& one) { return is_option(one, name); });
    return found == migration_.options.end() ? nullptr : &*found;
  }

  void lose(MigratedOption& option, std::string why) {
    option.change = OptionChange::kLost;
    option.why = std::move(why);
  }

  Result<void> formats(std::string_view name, const std::vector<IoFormat>& formats,
                       onnx::ValueRole role) {
    if (formats.empty()) return {};
    std::vector<const onnx::Value*> values;
    const onnx::Graph& graph = model_.graphs.front();
    for (const onnx::Value& value : model_.values_of(graph)) {
      const auto initializers = model_.initializers_of(graph);
      const bool is_constant =
          std::ranges::find(initializers, value.name, &onnx::Tensor::name) != initializers.end();
      if (value.role == role && !is_constant) values.push_back(&value);
    }
    if (formats.size() != 1 && formats.size() != values.size()) {
      return fail(ErrorCode::kUsage,
                  format("--{} has {} formats, but the model has {}", name, formats.size(),
                         base::counted(values.size(),
                                       role == onnx::ValueRole::kInput ? "input" : "output")),
                  "trtexec takes one format for all, or one for each.");
    }
    for (std::size_t place = 0; place < values.size(); ++place) {
      const IoFormat& wanted = formats[formats.size() == 1 ? 0 : place];
      take_format(name, *values[place], type_called(wanted.type), wanted.type);
    }
    return {};
  }

  void take_format(std::string_view name, const onnx::Value& value, DataType wanted,
                   std::string_view told) {
    if (told.empty() || value.type == wanted) return;
    if (value.type == DataType::kFloat && wanted == type_) {
      options_.small_io.emplace(value.name);
      return;
    }
    const bool is_int8 = wanted == DataType::kInt8 || wanted == DataType::kUint8;
    if (MigratedOption* const given = option(name)) {
      lose(*given, format("layouts are kept, but {} stays {}{}", base::quoted(value.name),
                          to_string(value.type),
                          is_int8 ? ": quantize it first, or give the model an INT8 input followed "
                                    "by a DequantizeLinear"
                                  : ""));
    }
  }

  // INT8 without Q/DQ relied on a calibrator, or on ranges.
  void lose_int8() {
    if (has_pairs(model_) || !migration_.has_int8) return;
    const std::string way = format(
        "implicit INT8 is gone, and the model has no Q/DQ: planex quantize {} --data SAMPLES "
        "--target tensorrt -o {}",
        base::shell_word(migration_.model), "model.int8.onnx");
    for (const std::string_view name : {"int8", "best", "calib"}) {
      MigratedOption* const given = option(name);
      if (given == nullptr) continue;
      lose(*given, name == "best" ? "cast to FP16; for INT8, " + way : way);
    }
  }

  trtexec::Migration& migration_;
  const onnx::Model& model_;
  std::optional<DataType> type_;
  quantize::CastOptions& options_;
  std::vector<std::string> notes_;
};

}  // namespace

std::optional<DataType> type_wanted(const trtexec::Migration& migration) {
  if (migration.has_fp16) return DataType::kFloat16;
  if (migration.has_bf16) return DataType::kBfloat16;
  const auto names = [&](std::string_view type) {
    const std::string told = format(":{}", type);
    const auto is_type = [&](const IoFormat& one) { return one.type == type; };
    return migration.layer_precisions.contains(told) ||
           migration.layer_output_types.contains(told) ||
           std::ranges::any_of(migration.inputs, is_type) ||
           std::ranges::any_of(migration.outputs, is_type);
  };
  if (names("fp16")) return DataType::kFloat16;
  if (names("bf16")) return DataType::kBfloat16;
  return std::nullopt;
}

Result<std::vector<std::string>> take_over(trtexec::Migration& migration, const onnx::Model& model,
                                           std::optional<DataType> type,
                                           quantize::CastOptions& options) {
  return TakeOver(migration, model, type, options).run();
}

Result<void> take_layers(const std::string& precisions, const std::string& output_types,
                         const onnx::Model& model, DataType type, quantize::CastOptions& options,
                         std::vector<std::string>& notes) {
  PLANEX_ASSIGN(const auto layers, quantize::parse_layer_precisions(precisions));
  PLANEX_ASSIGN(const auto outputs, quantize::parse_layer_precisions(output_types));
  const quantize::MatchedPrecisions matched =
      quantize::match_layer_precisions(model, layers, outputs);
  const bool is_half = type == DataType::kFloat16;
  const auto& named = is_half ? matched.half : matched.bfloat16;
  const auto& others = is_half ? matched.bfloat16 : matched.half;
  options.kept.insert(options.kept.end(), matched.kept.begin(), matched.kept.end());
  options.only.insert(options.only.end(), named.begin(), named.end());
  if (!others.empty()) {
    options.kept.insert(options.kept.end(), others.begin(), others.end());
    notes.push_back(format("{} set to {}, but a model is cast to only one type: they stay in float",
                           base::counted(others.size(), "layer is", "layers are"),
                           is_half ? "bf16" : "fp16"));
  }
  for (const std::string& pattern : matched.unmatched) {
    notes.push_back(
        format("no node is named {}: TensorRT generated that name itself, or it is misspelled",
               base::quoted(pattern)));
  }
  for (const std::string& node : matched.ignored) {
    notes.push_back(
        format("{} was set to an integer type: only Q/DQ in the model can do that, and a cast adds "
               "none",
               base::quoted(node)));
  }
  return {};
}

bool has_pairs(const onnx::Model& model) {
  return std::ranges::any_of(model.nodes_of(model.graphs.front()), [](const onnx::Node& node) {
    return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear";
  });
}

}  // namespace planex::tune
