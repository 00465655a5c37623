#include "analyze/work/generated_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "analyze/work/work.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using KernelWords = std::span<const std::string_view>;

// TensorRT cuts the names of operations to four letters, before 10.8 to three. Some of these could
// stand for two operations (Con, Tan) and identify none.
constexpr auto kMovementWords = std::to_array<std::string_view>(
    {"Tran", "Tra",  "Move", "Mov",  "Resh", "Res",  "Slic", "Sli",  "Conc", "Repl",
     "Rep",  "Gath", "Gat",  "Scat", "Copy", "Cop",  "Pad",  "Cast", "Cas",  "Sque",
     "Unsq", "Expa", "Tile", "Broa", "Bro",  "Spli", "Spl",  "Resi", "Reve", "Rev"});
constexpr auto kPointwiseWords = std::to_array<std::string_view>(
    {"Add",  "Sub",  "Mul",  "Div",  "Max",  "Min",  "Pow",  "Neg",  "Abs",  "Exp",  "Log",  "Erf",
     "Sigm", "Sig",  "Tanh", "Relu", "Rel",  "Silu", "Sil",  "Gelu", "Gel",  "Leak", "Elu",  "Selu",
     "Swis", "Hard", "Clip", "Clam", "Roun", "Rou",  "Floo", "Ceil", "Sin",  "Cos",  "Reci", "Rec",
     "Sele", "Wher", "Equa", "Less", "Grea", "And",  "Or",   "Not",  "Sqrt", "Sqr",  "Sign"});
// Rounding to a grid between two limits, and the scaling for it.
constexpr auto kQuantizingWords =
    std::to_array<std::string_view>({"Mul", "Div", "Add", "Min", "Max", "Roun", "Rou", "Clip"});

bool has_any_word(KernelWords words, KernelWords wanted) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

bool has_only_words(KernelWords words, KernelWords first, KernelWords second) {
  return std::ranges::all_of(words, [&](std::string_view word) {
    return std::ranges::find(first, word) != first.end() ||
           std::ranges::find(second, word) != second.end();
  });
}

template <std::size_t N>
bool has_word(KernelWords words, const std::array<std::string_view, N>& wanted) {
  return has_any_word(words, wanted);
}

}  // namespace

std::optional<std::vector<std::string_view>> kernel_words(std::string_view layer_name) {
  constexpr std::string_view kPrefix = "__myl_";
  if (!layer_name.starts_with(kPrefix)) return std::nullopt;
  layer_name.remove_prefix(kPrefix.size());
  const std::string_view codes = layer_name.substr(0, layer_name.find('_'));
  // KernelWords begin with a capital: MulSumAdd.
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::vector<std::string_view> words;
  for (std::size_t start = 0; start < codes.size();) {
    std::size_t end = start + 1;
    while (end < codes.size() && !is_capital(codes[end])) ++end;
    words.push_back(codes.substr(start, end - start));
    start = end;
  }
  return words;
}

std::string_view generated_kind(std::string_view layer_name) {
  switch (named_product(layer_name)) {
    case NamedProduct::kAttention:
      return "attention";
    case NamedProduct::kMatrix:
    case NamedProduct::kVector:
      return "matrix product";
    case NamedProduct::kConvolution:
    case NamedProduct::kTransposedConvolution:
      return "convolution";
    case NamedProduct::kNone:
      break;
    default:
      return {};
  }
  const auto found = kernel_words(layer_name);
  if (!found || found->empty()) return {};
  const KernelWords words = *found;
  if (has_word(words, std::to_array<std::string_view>({"Inor", "Rmsn", "Lnor"})) ||
      (has_word(words, std::to_array<std::string_view>({"Sqrt", "Sqr"})) &&
       has_word(words, std::to_array<std::string_view>({"Mean", "Mea", "Div"})))) {
    return "normalization";
  }
  const bool sums = has_word(words, std::to_array<std::string_view>({"Sum"}));
  if (has_word(words, std::to_array<std::string_view>({"Exp"})) && sums) return "softmax";
  if (sums ||
      has_word(words, std::to_array<std::string_view>({"Mean", "Mea", "Maxr", "Minr", "Prod"}))) {
    return "reduction";
  }
  // The part that a truncated name leaves out is not known.
  if (has_only_words(words, kMovementWords, {})) return "data movement";
  if (has_only_words(words, kQuantizingWords, kMovementWords) &&
      has_word(words, std::to_array<std::string_view>({"Roun", "Rou"}))) {
    return "quantization";
  }
  return has_only_words(words, kPointwiseWords, kMovementWords) ? "pointwise" : std::string_view();
}

void complete_generated_types(model::PlanModel& model) {
  const base::StringId kgen = model.strings.find("kgen");
  if (kgen.is_null()) return;
  model::LayersTable& layers = model.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (layers.type[row] != kgen) continue;
    const std::string_view kind = generated_kind(model.text(layers.name[row]));
    if (kind.empty()) continue;
    layers.type.set(row, model.strings.intern(base::format("{} (kgen)", kind)));
  }
}

namespace {

enum class FusedProduct : std::uint8_t { kNone, kConvolution, kMatrix, kSeveral };

FusedProduct product_of_type(std::string_view type) {
  constexpr auto kConvolutions = std::to_array<std::string_view>(
      {"Conv", "ConvTranspose", "ConvInteger", "QLinearConv", "DeformConv"});
  constexpr auto kMatrices = std::to_array<std::string_view>(
      {"MatMul", "Gemm", "Einsum", "MatMulInteger", "QLinearMatMul"});
  if (std::ranges::find(kConvolutions, type) != kConvolutions.end()) {
    return FusedProduct::kConvolution;
  }
  if (std::ranges::find(kMatrices, type) != kMatrices.end()) return FusedProduct::kMatrix;
  return FusedProduct::kNone;
}

FusedProduct product_of_name(std::string_view name) {
  switch (named_product(name)) {
    case NamedProduct::kConvolution:
    case NamedProduct::kTransposedConvolution:
      return FusedProduct::kConvolution;
    case NamedProduct::kMatrix:
      return FusedProduct::kMatrix;
    // A reduction of products (MulSum) is a product only where its operations say so.
    default:
      return FusedProduct::kNone;
  }
}

FusedProduct fused_product(const model::PlanModel& model, model::LayerId layer) {
  FusedProduct found = FusedProduct::kNone;
  const model::RowRange sources = model.sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const FusedProduct one = product_of_type(model.text(model.sources.op_type[row]));
    if (one == FusedProduct::kNone) continue;
    found = found == FusedProduct::kNone || found == one ? one : FusedProduct::kSeveral;
  }
  return found != FusedProduct::kNone
             ? found
             : product_of_name(model.text(model.layers.name[layer.index()]));
}

}  // namespace

void complete_fused_products(model::PlanModel& model) {
  const base::StringId fusion = model.strings.find("runtime_fusion");
  if (fusion.is_null()) return;
  model::LayersTable& layers = model.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (layers.type[row] != fusion || layers.family[row] != model::Family::kOpaque) continue;
    const FusedProduct product = fused_product(model, model::LayerId(row));
    if (product != FusedProduct::kConvolution && product != FusedProduct::kMatrix) continue;
    const bool is_convolution = product == FusedProduct::kConvolution;
    layers.family.set(row, is_convolution ? model::Family::kConvolution : model::Family::kGemm);
    layers.type.set(row, model.strings.intern(is_convolution ? "convolution (runtime_fusion)"
                                                             : "matrix product (runtime_fusion)"));
  }
}

}  // namespace planex::analyze
