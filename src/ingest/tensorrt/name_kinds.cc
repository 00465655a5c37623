#include "ingest/tensorrt/name_kinds.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "ingest/families.h"
#include "ingest/tensorrt/source_names.h"

namespace planex::ingest::tensorrt {
namespace {

using model::Family;
using model::Role;

constexpr std::string_view kReformat = "Reformat";
constexpr std::string_view kGenerated = "kgen";

bool is_upper_letter(char c) { return c >= 'A' && c <= 'Z'; }

bool has_text(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

void drop_digits(std::string_view& text) {
  while (!text.empty() && base::is_digit(text.back())) text.remove_suffix(1);
}

// Layers that TensorRT adds around the model's, named after the layer they serve: the word comes
// first.
constexpr auto kShufflesOfBuilder = std::to_array<std::string_view>(
    {"reshape_before_", "reshape_after_", "squeeze_before_", "squeeze_after_", "unsqueeze_before_",
     "unsqueeze_after_", "unsqueeze_node_before_", "unsqueeze_node_after_", "copied_squeeze_after_",
     "transpose_before_", "transpose_after_", "shuffle_between_", "ONNXTRT_ShapeShuffle",
     "ONNXTRT_unsqueezeTensor", "ONNXTRT_squeezeTensor", "ONNXTRT_Broadcast"});

struct LowerWord {
  std::string_view word, kind;
};
// Words in lower case, as in models of Caffe and Darknet, and in aten's operators.
constexpr LowerWord kLowerWords[] = {{"conv", "Convolution"},
                                     {"convolution", "Convolution"},
                                     {"deconv", "Deconvolution"},
                                     {"convtranspose", "Deconvolution"},
                                     {"fc", "FullyConnected"},
                                     {"linear", "MatrixMultiply"},
                                     {"addmm", "MatrixMultiply"},
                                     {"matmul", "MatrixMultiply"},
                                     {"gemm", "MatrixMultiply"},
                                     {"bmm", "MatrixMultiply"},
                                     {"pool", "Pooling"},
                                     {"maxpool", "Pooling"},
                                     {"avgpool", "Pooling"},
                                     {"relu", "Activation"},
                                     {"leakyrelu", "Activation"},
                                     {"prelu", "Activation"},
                                     {"silu", "Activation"},
                                     {"gelu", "Activation"},
                                     {"swish", "Activation"},
                                     {"sigmoid", "Activation"},
                                     {"tanh", "Activation"},
                                     {"clip", "Activation"},
                                     {"add", "ElementWise"},
                                     {"eltwise", "ElementWise"},
                                     {"softmax", "SoftMax"},
                                     {"lrn", "LRN"},
                                     {"bn", "Scale"},
                                     {"batchnorm", "Scale"},
                                     {"layernorm", "Normalization"},
                                     {"concat", "Concatenation"},
                                     {"upsample", "Resize"},
                                     {"resize", "Resize"},
                                     {"reshape", "Shuffle"},
                                     {"flatten", "Shuffle"},
                                     {"transpose", "Shuffle"},
                                     {"permute", "Shuffle"}};

// Operators whose names mean something else in TensorFlow, which reduces with them, and "BiasAdd",
// tf2onnx's name for the convolution that the bias was folded into.
constexpr auto kAmbiguous =
    std::to_array<std::string_view>({"Mean", "Max", "Min", "Sum", "Prod", "BiasAdd"});

// "weight" in "layer1.0.conv1.weight": not an operation, but something that one reads.
constexpr auto kWeightWords = std::to_array<std::string_view>(
    {"weight", "weights", "kernel", "bias", "gamma", "beta", "scale", "zero_point", "running_mean",
     "running_var", "ReadVariableOp"});

enum class Rank : std::uint8_t { kWeight, kUnknown, kMoves, kPointwise, kComputes, kProduct };

struct PartKind {
  Rank rank = Rank::kUnknown;
  std::string_view kind;
};

PartKind ranked(std::string_view kind) {
  if (kind.empty()) return {};
  const Role role = role_of(kind);
  if (role == Role::kConstant) return {Rank::kWeight, kind};
  switch (family_of(kind)) {
    case Family::kConvolution:
    case Family::kGemm:
      return {Rank::kProduct, kind};
    case Family::kReformat:
    case Family::kShuffle:
      return {Rank::kMoves, kind};
    case Family::kPointwise:
      return {Rank::kPointwise, kind};
    default:
      return {Rank::kComputes, kind};
  }
}

// "Conv_9" -> "Conv", "conv2d_1" -> "conv", "Conv2D" -> "Conv", "relu1_1" -> "relu".
std::string_view without_counters(std::string_view word) {
  const auto is_counter = [](char c) { return base::is_digit(c) || c == '_'; };
  while (!word.empty() && is_counter(word.back())) word.remove_suffix(1);
  const std::size_t size = word.size();
  const bool has_rank = size > 2 && (word[size - 1] == 'D' || word[size - 1] == 'd') &&
                        base::is_digit(word[size - 2]) && !base::is_digit(word[size - 3]);
  if (has_rank) word.remove_suffix(2);
  return word;
}

// tf2onnx numbers the nodes that it adds after the one that they serve: "Conv2D__6" may be a
// transpose.
bool is_added_node(std::string_view word) {
  const std::size_t size = word.size();
  drop_digits(word);
  return word.size() < size && word.ends_with("__");
}

void drop_ending(std::string_view& text, std::string_view ending) {
  if (text.size() > ending.size() && text.ends_with(ending)) text.remove_suffix(ending.size());
}

// "_clone_1": TensorRT's own copy of a layer that is read twice.
void drop_clone(std::string_view& text) {
  constexpr std::string_view kClone = "_clone_";
  const std::size_t at = text.rfind(kClone);
  if (at == text.npos) return;
  std::string_view number = text.substr(at + kClone.size());
  drop_digits(number);
  if (number.empty()) text = text.substr(0, at);
}

std::string_view kind_in_lower(std::string_view word) {
  word = without_counters(word);
  const std::size_t at = word.find_last_of("._:");
  if (at != word.npos) word.remove_prefix(at + 1);
  word = without_counters(word);
  const auto* const found = std::ranges::find(kLowerWords, word, &LowerWord::word);
  return found == std::end(kLowerWords) ? std::string_view() : found->kind;
}

// For the last part of a name between slashes.
std::string_view kind_in_segment(std::string_view word) {
  if (is_added_node(word)) {
    if (word.starts_with("QuantLinearNode")) return "QuantizeLinear";
    if (word.starts_with("DequantLinearNode")) return "DequantizeLinear";
    return {};
  }
  if (has_text(word, "castHelper")) return "Cast";
  const std::string_view named = without_counters(word);
  if (named.empty()) return {};
  // "QuantizeLinear", also after an exporter's prefix.
  for (const std::string_view quantizer : {"DequantizeLinear", "QuantizeLinear"}) {
    if (named.ends_with(quantizer)) return quantizer;
  }
  const std::size_t at = named.find_last_of("._:");
  const std::string_view last = at == named.npos ? named : named.substr(at + 1);
  if (last.empty() || !is_upper_letter(last.front())) return kind_in_lower(word);
  if (std::ranges::find(kAmbiguous, last) != kAmbiguous.end()) return {};
  const bool is_known = family_of(last) != Family::kOther || role_of(last) != Role::kWork;
  return is_known || last == "NonMaxSuppression" ? last : std::string_view();
}

// "7x7_s2" in Caffe's "conv1/7x7_s2": the size of a window.
bool is_window(std::string_view word) {
  const std::size_t x = word.find('x');
  return x != word.npos && x > 0 && x + 1 < word.size() && base::is_digit(word[x - 1]) &&
         base::is_digit(word[0]) && base::is_digit(word[x + 1]);
}

bool is_weight(std::string_view part) {
  if (part.starts_with("onnx::")) return true;
  drop_ending(part, ":0");
  const std::size_t at = part.find_last_of("./");
  const std::string_view last = at == part.npos ? part : part.substr(at + 1);
  return at != part.npos && std::ranges::find(kWeightWords, last) != kWeightWords.end();
}

// The last "[Kind]" of "(Unnamed Layer* 3) [Shuffle]", "[trainStation1]", "[HostToDeviceCopy 0]".
std::string_view kind_in_brackets(std::string_view part) {
  const std::size_t end = part.rfind(']');
  const std::size_t start = end == part.npos ? part.npos : part.rfind('[', end);
  if (start == part.npos) return {};
  std::string_view kind = part.substr(start + 1, end - start - 1);
  drop_digits(kind);
  return base::trimmed(kind);
}

// "aten_ops.max_pool2d.default" -> "max_pool2d".
std::string_view without_overload(std::string_view operation) {
  const std::size_t first = operation.find('.');
  const std::size_t last = operation.rfind('.');
  return first == operation.npos || first == last ? operation
                                                  : operation.substr(first + 1, last - first - 1);
}

PartKind kind_of_part(std::string_view part) {
  drop_clone(part);
  if (part.starts_with("{ForeignNode[")) return {Rank::kComputes, "ForeignNode"};
  if (part.starts_with("(Unnamed Layer*") || part.starts_with("[trainStation") ||
      part.starts_with("[HostToDeviceCopy") || part.starts_with("[DeviceToHostCopy") ||
      part.starts_with("[ShapeHostToDeviceCopy") || part.starts_with("[DevicetoShapeHostCopy")) {
    return ranked(kind_in_brackets(part));
  }
  if (const auto operation = torch_operation(part)) {
    return ranked(kind_in_lower(without_overload(*operation)));
  }
  if (std::ranges::any_of(kShufflesOfBuilder,
                          [part](std::string_view start) { return part.starts_with(start); })) {
    return {Rank::kMoves, "Shuffle"};
  }
  if (is_weight(part)) return {Rank::kWeight, {}};
  drop_ending(part, "_quantize_scale_node");
  drop_ending(part, "_dequantize_scale_node");
  if (part.starts_with("cuBLAS/")) return {Rank::kProduct, "MatrixMultiply"};
  const std::size_t slash = part.rfind('/');
  const std::string_view last = slash == part.npos ? part : part.substr(slash + 1);
  if (slash != part.npos && is_window(last)) {
    const std::string_view kind = kind_in_lower(part.substr(0, slash));
    return ranked(kind == "Convolution" || kind == "Pooling" ? kind : std::string_view());
  }
  return ranked(kind_in_segment(last));
}

// "/fc2/MatMul_myl2_20" -> "/fc2/MatMul": Myelin's own numbers.
std::string_view without_place(std::string_view name) {
  constexpr std::string_view kMark = "_myl";
  const std::size_t at = name.rfind(kMark);
  if (at == name.npos || at == 0) return name;
  const std::string_view rest = name.substr(at + kMark.size());
  const bool is_place = !rest.empty() && std::ranges::all_of(rest, [](char c) {
    return base::is_digit(c) || c == '_';
  });
  return is_place ? name.substr(0, at) : name;
}

}  // namespace

// "fc input reformatter 0": the name of copies in TensorRT 7 and JetPack 4. Later versions call
// them "Reformatting CopyNode for Input Tensor 0 to fc"; the tensors between are "Reformatted …".
bool is_copy_name(std::string_view layer_name) {
  std::string_view name = layer_name;
  if (name.starts_with("Reformatting CopyNode for ") || name.starts_with("Reformatted ")) {
    return true;
  }
  const std::size_t digits = name.size();
  drop_digits(name);
  return name.size() < digits &&
         (name.ends_with(" input reformatter ") || name.ends_with(" output reformatter "));
}

std::string_view kind_in_name(std::string_view layer_name) {
  if (is_copy_name(layer_name)) return kReformat;
  if (has_text(layer_name, "shape_call")) return "shape_call";
  if (layer_name.starts_with("__myl_") || layer_name.starts_with("_gemm_mha")) return kGenerated;
  const std::string_view name = without_place(layer_name);
  if (name.starts_with("PWN(") && name.ends_with(')')) return "PointWise";
  // A copy that moves an input of a concatenation to the others.
  if (name.ends_with(" copy")) return "Copy";
  PartKind best;
  best.rank = Rank::kWeight;
  bool has_unknown = false;
  for (const std::string_view part : parts_of_name(name)) {
    const PartKind kind = kind_of_part(part);
    has_unknown = has_unknown || kind.rank == Rank::kUnknown;
    if (kind.rank > best.rank || (best.kind.empty() && kind.rank == best.rank)) best = kind;
  }
  // An unknown part may be the layer's main operation: "3x3 + relu".
  if (has_unknown && best.rank < Rank::kComputes) return {};
  return best.kind;
}

std::optional<std::pair<std::string_view, std::string_view>> foreign_ends(
    std::string_view layer_name) {
  constexpr std::string_view kStart = "{ForeignNode[", kEnd = "]}", kBetween = "...";
  if (!layer_name.starts_with(kStart)) return std::nullopt;
  const std::size_t end = layer_name.rfind(kEnd);
  if (end == layer_name.npos || end < kStart.size()) return std::nullopt;
  const std::string_view inside = layer_name.substr(kStart.size(), end - kStart.size());
  const std::size_t between = inside.find(kBetween);
  if (between == inside.npos) return std::nullopt;
  const std::string_view first = base::trimmed(inside.substr(0, between));
  const std::string_view last = base::trimmed(inside.substr(between + kBetween.size()));
  if (first.empty() || last.empty()) return std::nullopt;
  return std::pair(first, last);
}

void set_kinds_of_names(model::ModelBuilder& builder) {
  model::LayersTable& layers = builder.model().layers;
  std::size_t unknown_count = 0, named_count = 0;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!layers.family.is_null(row) || layers.role[row] != Role::kWork) continue;
    ++unknown_count;
    const std::string_view kind = kind_in_name(builder.model().text(layers.name[row]));
    if (kind.empty()) continue;
    ++named_count;
    layers.type.set(row, builder.strings().intern(kind));
    layers.family.set(row, family_of(kind));
    layers.role.set(row, role_of(kind));
  }
  if (named_count == 0) return;
  builder.add_diagnostic(
      {.code = "kinds-from-names",
       .severity = model::Severity::kInfo,
       .message = base::format("the types of {} are not in the files; {} {} taken from {} name{}",
                               base::counted(unknown_count, "layer"),
                               named_count == unknown_count ? (named_count == 1 ? "it" : "they")
                               : named_count == 1 ? "that of 1"
                                                  : base::format("those of {}", named_count),
                               named_count == 1 ? "is" : "are", named_count == 1 ? "its" : "their",
                               named_count == 1 ? "" : "s")});
}

}  // namespace planex::ingest::tensorrt
