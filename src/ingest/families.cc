#include "ingest/families.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace planex::ingest {
namespace {

using model::Family;
using model::Role;

struct TypeFamily {
  std::string_view type;  // lower case
  Family family;
};

// TensorRT's ParameterType and LayerType, Myelin's kinds, OpenVINO's layerType. Sorted by family
// for the reader; looked up linearly once per distinct type.
constexpr TypeFamily kFamilies[] = {
    {"convolution", Family::kConvolution},
    {"groupconvolution", Family::kConvolution},
    {"deconvolution", Family::kConvolution},
    {"convactpool", Family::kConvolution},
    {"caskconvactpool", Family::kConvolution},
    {"correlation", Family::kConvolution},
    {"deconv", Family::kConvolution},
    {"conv", Family::kConvolution},
    {"binaryconvolution", Family::kConvolution},
    {"deformableconvolution", Family::kConvolution},
    {"matrixmultiply", Family::kGemm},
    {"matmul", Family::kGemm},
    {"gemm", Family::kGemm},
    {"fullyconnected", Family::kGemm},
    {"fullyconnectedcompressed", Family::kGemm},
    {"fullyconnectedquantized", Family::kGemm},
    {"fullyconnectedquantizedlegacy", Family::kGemm},
    {"rnn", Family::kGemm},
    {"lstm", Family::kGemm},
    {"lstmcell", Family::kGemm},
    {"lstmsequence", Family::kGemm},
    {"gru", Family::kGemm},
    {"grucell", Family::kGemm},
    {"grusequence", Family::kGemm},
    {"rnnsequence", Family::kGemm},
    {"attention", Family::kGemm},
    {"mha", Family::kGemm},
    {"scaleddotproductattention", Family::kGemm},
    {"scaleddotproductattentionwithkvcache", Family::kGemm},
    {"kgen_mha", Family::kGemm},
    {"rnncell", Family::kGemm},
    {"rnnseq", Family::kGemm},
    {"pagedattention", Family::kGemm},
    {"llmmlp", Family::kGemm},
    {"qkvprojection", Family::kGemm},
    {"lora", Family::kGemm},
    {"myelin", Family::kOpaque},
    {"foreignnode", Family::kOpaque},
    {"kgen", Family::kOpaque},
    {"fusion", Family::kOpaque},
    {"runtime_fusion", Family::kOpaque},
    {"runtime_function", Family::kOpaque},
    {"custom_layer", Family::kOpaque},
    {"subgraph", Family::kOpaque},
    {"dla", Family::kOpaque},
    {"if", Family::kOpaque},
    {"loop", Family::kOpaque},
    {"tensoriterator", Family::kOpaque},
    {"pointwise", Family::kPointwise},
    {"pointwisev2", Family::kPointwise},
    {"elementwise", Family::kPointwise},
    {"eltwise", Family::kPointwise},
    {"unary", Family::kPointwise},
    {"activation", Family::kPointwise},
    {"select", Family::kPointwise},
    {"add", Family::kPointwise},
    {"math", Family::kPointwise},
    {"prelu", Family::kPointwise},
    {"rope", Family::kPointwise},
    // Operations: what OpenVINO's counters call the layers that do them.
    {"add", Family::kPointwise},
    {"subtract", Family::kPointwise},
    {"multiply", Family::kPointwise},
    {"divide", Family::kPointwise},
    {"relu", Family::kPointwise},
    {"gelu", Family::kPointwise},
    {"sigmoid", Family::kPointwise},
    {"swish", Family::kPointwise},
    {"clamp", Family::kPointwise},
    {"scale", Family::kNorm},
    {"softmax", Family::kNorm},
    {"logsoftmaxtopk", Family::kNorm},
    {"logsoftmax", Family::kNorm},
    {"normalization", Family::kNorm},
    {"mvn", Family::kNorm},
    {"rmsnorm", Family::kNorm},
    {"normalizel2", Family::kNorm},
    {"lrn", Family::kNorm},
    {"rms", Family::kNorm},
    {"pooling", Family::kPool},
    {"adaptivepooling", Family::kPool},
    {"avgpool", Family::kPool},
    {"maxpool", Family::kPool},
    {"reduce", Family::kPool},
    {"reducemean", Family::kPool},
    {"reducesum", Family::kPool},
    {"reducemax", Family::kPool},
    {"topk", Family::kPool},
    {"roipooling", Family::kPool},
    {"psroipooling", Family::kPool},
    {"roialign", Family::kPool},
    {"roialignrotated", Family::kPool},
    {"embeddingbagoffsets", Family::kPool},
    {"embeddingbagpacked", Family::kPool},
    {"embeddingsegmentssum", Family::kPool},
    {"shuffle", Family::kShuffle},
    {"slice", Family::kShuffle},
    {"stridedslice", Family::kShuffle},
    {"padding", Family::kShuffle},
    {"pad", Family::kShuffle},
    {"concat", Family::kShuffle},
    {"concatenation", Family::kShuffle},
    {"concatenate", Family::kShuffle},
    {"split", Family::kShuffle},
    {"gather", Family::kShuffle},
    {"scatter", Family::kShuffle},
    {"resize", Family::kShuffle},
    {"interpolate", Family::kShuffle},
    {"transpose", Family::kShuffle},
    {"reshape", Family::kShuffle},
    {"tile", Family::kShuffle},
    {"broadcast", Family::kShuffle},
    {"gatherelements", Family::kShuffle},
    {"gathernd", Family::kShuffle},
    {"gathertree", Family::kShuffle},
    {"scatterupdate", Family::kShuffle},
    {"scatterelementsupdate", Family::kShuffle},
    {"scatterndupdate", Family::kShuffle},
    {"depthtospace", Family::kShuffle},
    {"spacetodepth", Family::kShuffle},
    {"batchtospace", Family::kShuffle},
    {"spacetobatch", Family::kShuffle},
    {"shufflechannels", Family::kShuffle},
    {"roll", Family::kShuffle},
    {"copy", Family::kShuffle},
    {"shapehosttodevice", Family::kShuffle},
    {"devicetoshapehost", Family::kShuffle},
    {"reversesequence", Family::kShuffle},
    {"onehot", Family::kShuffle},
    {"pluginv2", Family::kPlugin},
    {"pluginv3", Family::kPlugin},
    {"plugin", Family::kPlugin},
    {"reformat", Family::kReformat},
    {"myelinreformat", Family::kReformat},
    {"reorder", Family::kReformat},
    {"convert", Family::kReformat},
    {"fakequantize", Family::kReformat},
    {"cast", Family::kReformat},
    {"quantize", Family::kReformat},
    {"dequantize", Family::kReformat},
};

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

}  // namespace

Family family_of(std::string_view type) {
  const std::string word = base::lower(type);
  const auto* found = std::ranges::find(kFamilies, word, &TypeFamily::type);
  return found == std::end(kFamilies) ? Family::kOther : found->family;
}

Role role_of(std::string_view type) {
  const std::string word = base::lower(type);
  const auto* found = std::ranges::find(kRoles, word, &TypeRole::type);
  return found == std::end(kRoles) ? Role::kWork : found->role;
}

}  // namespace planex::ingest
