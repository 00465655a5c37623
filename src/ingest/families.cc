#include "ingest/families.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"

namespace planex::ingest {
namespace {

using model::Family;
using model::Role;

struct FamilyWords {
  Family family;
  std::span<const std::string_view> words;
};

// TensorRT's ParameterType and LayerType, Myelin's kinds, OpenVINO's layerType, ONNX Runtime's
// operators: in lower case, without "_" and what comes before the word (Cask, Fused, QLinear) or
// after it (V2). Looked up linearly once per distinct type.
constexpr std::string_view kConvolutionWords[] = {"convolution",   "conv",       "convactpool",
                                                  "deconvolution", "deconv",     "convtranspose",
                                                  "correlation",   "convinteger"};
constexpr std::string_view kGemmWords[] = {"matrixmultiply",
                                           "matmul",
                                           "gemm",
                                           "fullyconnected",
                                           "fullyconnectedcompressed",
                                           "fullyconnectedquantized",
                                           "fullyconnectedquantizedlegacy",
                                           "innerproduct",
                                           "einsum",
                                           "matmulinteger",
                                           "matmulinteger16",
                                           "matmulintegertofloat",
                                           "fusedmatmulactivation",
                                           "matmulnbits",
                                           "matmulbnb4",
                                           "matmulfpq4",
                                           "gemmfloat8",
                                           "gemmfastgelu",
                                           "rnn",
                                           "lstm",
                                           "gru",
                                           "rnncell",
                                           "lstmcell",
                                           "grucell",
                                           "rnnseq",
                                           "lstmseq",
                                           "gruseq",
                                           "rnnsequence",
                                           "lstmsequence",
                                           "grusequence",
                                           "augru",
                                           "augrucell",
                                           "augrusequence",
                                           "attention",
                                           "mha",
                                           "scaleddotproductattentionwithkvcache",
                                           "vlsdpa",
                                           "gatedmlp",
                                           "llmmlp",
                                           "qkvprojection",
                                           "lora",
                                           "moe",
                                           "qmoe",
                                           "kgenmha"};
constexpr std::string_view kOpaqueWords[] = {
    "myelin",      "foreignnode",    "kgen",     "fusion", "runtimefusion", "runtimefunction",
    "customlayer", "subgraph",       "dla",      "if",     "condition",     "loop",
    "scan",        "tensoriterator", "epcontext"};
constexpr std::string_view kPointwiseWords[] = {"pointwise",
                                                "elementwise",
                                                "eltwise",
                                                "unary",
                                                "activation",
                                                "select",
                                                "math",
                                                "rope",
                                                "rotaryembedding",
                                                "swiglu",
                                                "add",
                                                "addn",
                                                "sub",
                                                "subtract",
                                                "mul",
                                                "multiply",
                                                "div",
                                                "divide",
                                                "pow",
                                                "power",
                                                "mod",
                                                "max",
                                                "maximum",
                                                "min",
                                                "minimum",
                                                "sum",
                                                "mean",
                                                "squareddifference",
                                                "abs",
                                                "neg",
                                                "negative",
                                                "exp",
                                                "log",
                                                "sqrt",
                                                "reciprocal",
                                                "erf",
                                                "sin",
                                                "cos",
                                                "tan",
                                                "sinh",
                                                "cosh",
                                                "asin",
                                                "acos",
                                                "atan",
                                                "asinh",
                                                "acosh",
                                                "atanh",
                                                "floor",
                                                "ceil",
                                                "ceiling",
                                                "round",
                                                "sign",
                                                "not",
                                                "and",
                                                "or",
                                                "xor",
                                                "logicalnot",
                                                "logicaland",
                                                "logicalor",
                                                "logicalxor",
                                                "equal",
                                                "notequal",
                                                "less",
                                                "lessequal",
                                                "lessorequal",
                                                "greater",
                                                "greaterequal",
                                                "greaterorequal",
                                                "where",
                                                "isinf",
                                                "isnan",
                                                "clip",
                                                "clamp",
                                                "relu",
                                                "prelu",
                                                "leakyrelu",
                                                "elu",
                                                "selu",
                                                "celu",
                                                "sigmoid",
                                                "hsigmoid",
                                                "hardsigmoid",
                                                "swish",
                                                "hswish",
                                                "hardswish",
                                                "silu",
                                                "tanh",
                                                "softplus",
                                                "softsign",
                                                "mish",
                                                "gelu",
                                                "fastgelu",
                                                "quickgelu",
                                                "biasgelu",
                                                "biassplitgelu",
                                                "biasadd",
                                                "qlinearadd",
                                                "qlinearmul"};
constexpr std::string_view kNormWords[] = {
    "scale",       "scaleshift", "softmax",       "logsoftmax", "logsoftmaxtopk",
    "biassoftmax", "hardmax",    "normalization", "normalize",  "normalizel2",
    "norm",        "mvn",        "rms",           "lrn",        "grn",
    "groupnorm",   "batchnorm",  "layernorm",     "rmsnorm"};
constexpr std::string_view kPoolWords[] = {"pooling",
                                           "pool",
                                           "adaptivepooling",
                                           "topk",
                                           "argmax",
                                           "argmin",
                                           "argmaxmin",
                                           "reduce",
                                           "reducemean",
                                           "reducesum",
                                           "reducemax",
                                           "reducemin",
                                           "reduceprod",
                                           "reduceand",
                                           "reduceor",
                                           "reducel1",
                                           "reducel2",
                                           "reducelogsum",
                                           "reducelogsumexp",
                                           "reducesumsquare",
                                           "cumsum",
                                           "roialign",
                                           "roialignrotated",
                                           "embeddingbag",
                                           "embeddingbagoffsets",
                                           "embeddingbagoffsetssum",
                                           "embeddingbagpacked",
                                           "embeddingbagpackedsum",
                                           "embeddingsegmentssum",
                                           "avgpool",
                                           "maxpool"};
constexpr std::string_view kShuffleWords[] = {"shuffle",
                                              "slice",
                                              "padding",
                                              "pad",
                                              "border",
                                              "crop",
                                              "concat",
                                              "concatenation",
                                              "concatenate",
                                              "split",
                                              "variadicsplit",
                                              "gather",
                                              "gatherelements",
                                              "gathernd",
                                              "gathertree",
                                              "gatherblockquantized",
                                              "scatter",
                                              "scatterupdate",
                                              "scatterelements",
                                              "scatterelementsupdate",
                                              "scatternd",
                                              "scatterndupdate",
                                              "resize",
                                              "interpolate",
                                              "interp",
                                              "resample",
                                              "upsample",
                                              "gridsample",
                                              "transpose",
                                              "permute",
                                              "reshape",
                                              "flatten",
                                              "squeeze",
                                              "unsqueeze",
                                              "identity",
                                              "tile",
                                              "expand",
                                              "broadcast",
                                              "depthtospace",
                                              "spacetodepth",
                                              "batchtospace",
                                              "spacetobatch",
                                              "shufflechannels",
                                              "reorgyolo",
                                              "roll",
                                              "reverse",
                                              "reversesequence",
                                              "copy",
                                              "memcpy",
                                              "shapehosttodevice",
                                              "devicetoshapehost",
                                              "onehot",
                                              "compress",
                                              "trilu",
                                              "kvcache",
                                              "readvalue",
                                              "assign"};
constexpr std::string_view kPluginWords[] = {"plugin", "pluginv2dynamicext", "pluginv2ext",
                                             "pluginv2ioext", "customgpuprimitive"};
constexpr std::string_view kReformatWords[] = {"reformat",        "reorder",
                                               "reorderinput",    "reorderoutput",
                                               "memcpytohost",    "memcpyfromhost",
                                               "convert",         "convertcolor",
                                               "fakequantize",    "cast",
                                               "quantize",        "dequantize",
                                               "quantizelinear",  "dequantizelinear",
                                               "dynamicquantize", "dynamicquantizelinear"};
constexpr FamilyWords kFamilies[] = {{Family::kConvolution, kConvolutionWords},
                                     {Family::kGemm, kGemmWords},
                                     {Family::kOpaque, kOpaqueWords},
                                     {Family::kPointwise, kPointwiseWords},
                                     {Family::kNorm, kNormWords},
                                     {Family::kPool, kPoolWords},
                                     {Family::kShuffle, kShuffleWords},
                                     {Family::kPlugin, kPluginWords},
                                     {Family::kReformat, kReformatWords}};

struct TypeRole {
  std::string_view type;
  Role role;
};
constexpr TypeRole kRoles[] = {
    {"noop", Role::kNoOp},     {"constant", Role::kConstant}, {"const", Role::kConstant},
    {"signal", Role::kSignal}, {"wait", Role::kWait},         {"shape_call", Role::kShape},
    {"input", Role::kInput},   {"parameter", Role::kInput},   {"output", Role::kOutput},
    {"result", Role::kOutput}, {"shapeof", Role::kShape},     {"jmp", Role::kControl},
    {"cjmp", Role::kControl},
};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// "scaled_dot_product", "CaskConvolution" -> letters and digits in lower case, and the positions
// where words begin, ascending.
std::string letters_of(std::string_view type, std::vector<std::size_t>& word_starts) {
  std::string letters;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (!is_lower(c) && !is_upper(c) && !base::is_digit(c)) continue;
    const char before = i > 0 ? type[i - 1] : ' ';
    const bool is_next_lower = i + 1 < type.size() && is_lower(type[i + 1]);
    const bool is_capital = is_upper(c) && (!is_upper(before) || is_next_lower);
    if (is_capital || (!is_lower(before) && !is_upper(before) && !base::is_digit(before))) {
      word_starts.push_back(letters.size());
    }
    letters += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return letters;
}

// "softmaxv2" -> "softmax".
void drop_version(std::string& word) {
  std::size_t end = word.size();
  while (end > 0 && base::is_digit(word[end - 1])) --end;
  if (end < word.size() && end > 1 && word[end - 1] == 'v') word.resize(end - 1);
}

Family family_of_word(std::string_view word) {
  for (const FamilyWords& entry : kFamilies) {
    if (std::ranges::find(entry.words, word) != entry.words.end()) return entry.family;
  }
  return Family::kOther;
}

}  // namespace

Family family_of(std::string_view type) {
  std::vector<std::size_t> word_starts;
  std::string word = letters_of(type, word_starts);
  drop_version(word);
  // Shorter words are endings of others that mean something else: "quantile" is not a "tile".
  constexpr std::size_t kMinAtWordStart = 4, kMinAnywhere = 7;
  for (std::size_t start = 0; start < word.size(); ++start) {
    const std::string_view ending = std::string_view(word).substr(start);
    if (ending.size() < kMinAtWordStart && start > 0) break;
    const bool starts_word = std::ranges::binary_search(word_starts, start);
    if (start > 0 && !starts_word && ending.size() < kMinAnywhere) continue;
    if (const Family family = family_of_word(ending); family != Family::kOther) return family;
  }
  return Family::kOther;
}

Role role_of(std::string_view type) {
  const std::string word = base::lower(type);
  const auto* found = std::ranges::find(kRoles, word, &TypeRole::type);
  return found == std::end(kRoles) ? Role::kWork : found->role;
}

}  // namespace planex::ingest
