// Arithmetic work of a layer, from its parameters, or from its ports alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// Parameters of a convolution as TensorRT writes them; prefixed twins (ConvKernel, ...) of fused
// convolution and pooling are read too. Spatial lists have one entry per dimension.
struct ConvolutionParameters {
  std::vector<std::int64_t> kernel, stride, dilation, pre_padding, post_padding;
  std::int64_t groups = 1;
  std::int64_t out_maps = 0;
};

// A convolution as the matrix product it is computed by: m · n · k multiply-accumulates.
//   convolution             m = N·ΠoutSpatial, n = K,                  k = (C/groups)·Πkernel
//   transposed convolution  m = N·ΠinSpatial,  n = (K/groups)·Πkernel, k = C
struct ImplicitGemm {
  std::int64_t m = 0, n = 0, k = 0;
};
// m · n · k; nothing where that is too large.
std::optional<std::int64_t> macs_of(const ImplicitGemm& gemm);

// The product in the name of a generated kernel: Myelin's __myl_FcAddDiv_myl0_7 begins with a
// matrix product, OpenVINO's ScaledDotProductAttention_4 is attention.
enum class NamedProduct : std::uint8_t {
  kNotGenerated,  // no such name: the layer may do anything
  kNone,          // the name lists everything the kernel does, and there is no product
  kMatrix,
  kVector,  // of a matrix and a vector, written as a multiplication and a sum
  kConvolution,
  kTransposedConvolution,
  kAttention,
  kRecurrent,
  kSeveral
};
NamedProduct named_product(std::string_view layer_name);

// Reads what the layers of one model compute. The names of the parameters are looked up once, at
// construction, so it must not outlive a change of the model's attributes.
class WorkReader {
 public:
  explicit WorkReader(const model::PlanModel& model);

  std::optional<ConvolutionParameters> convolution_parameters(model::LayerId layer) const;
  // The same from the dims of the weights, for layers that list those instead: kernel, groups and
  // channels written; the rest is empty.
  std::optional<ConvolutionParameters> convolution_of_weights(model::LayerId layer) const;

  // Multiply-accumulates of one inference of this layer, by its parameters:
  //   convolution of any rank    N·K·ΠoutSpatial·(C/groups)·Πkernel
  //   transposed convolution     N·C·ΠinSpatial·(K/groups)·Πkernel
  //   fused convolution+pooling  as convolution, its output size computed from its parameters
  //   matrix multiply            B·M·N·K
  // Null where a size is dynamic or unknown, or the layer does none of these.
  std::optional<std::int64_t> macs(model::LayerId layer) const;

  // The same from the dims of its inputs, constants and outputs, for layers that list no
  // parameters: matrix products, convolutions whose weights are listed, fused attention without
  // keys of earlier turns, recurrent networks whose weights are listed.
  std::optional<std::int64_t> macs_of_shapes(model::LayerId layer) const;

  // Attention and recurrent networks: products that their dims alone may not show.
  bool hides_products(model::LayerId layer) const;

  // Whether the ports of a layer that lists no parameters include everything that its products
  // multiply, or its name says that it has none; false where it may hide some.
  bool lists_its_operands(model::LayerId layer) const;

  std::optional<ImplicitGemm> implicit_gemm(model::LayerId layer) const;

  // The same for layers that list no parameters, from their multiply-accumulates, however these are
  // known, and the dims of their output: n are its last dim, of convolutions its channels, and the
  // rows of a batch count as rows. Of transposed convolutions by the dims of the input. Nothing for
  // attention, recurrent networks and kernels of several products, which are not one product.
  std::optional<ImplicitGemm> gemm_of_macs(model::LayerId layer) const;

  // One operation per output element and fused operation for a pointwise layer, per output element
  // and step for a Scale layer; nothing for others.
  struct PointwiseWork {
    std::int64_t flops = 0;
    bool by_parameters = false;  // the layer says how many operations an element takes
  };
  std::optional<PointwiseWork> pointwise_work(model::LayerId layer) const;

 private:
  // A key and its prefixed twin; null where no layer has it.
  struct Key {
    base::StringId plain, prefixed;
  };
  // Views into the model's ports.
  struct Operands {
    std::vector<std::span<const std::int64_t>> inputs, constants, outputs;
  };

  Key key(std::string_view name) const;
  // The parameters that every convolution's work depends on; then the others.
  std::optional<ConvolutionParameters> kernel_parameters(model::LayerId layer) const;
  void read_windows(model::LayerId layer, ConvolutionParameters& parameters) const;
  std::string_view attribute(model::LayerId layer, Key key) const;
  std::vector<std::int64_t> list(model::LayerId layer, Key key) const;
  std::string_view type(model::LayerId layer) const;
  // By family and type, else by name; kNone where neither shows a product.
  NamedProduct product_of(model::LayerId layer) const;
  Operands operands(model::LayerId layer) const;
  std::optional<std::int64_t> multiply_macs(model::LayerId layer) const;
  static std::optional<std::int64_t> listed_matrix_macs(const Operands& ports);
  // Operations on each element; nothing where the layer does not record it.
  std::optional<std::int64_t> scale_steps(model::LayerId layer) const;

  const model::PlanModel& model_;
  Key kernel_, stride_, dilation_, pre_padding_, post_padding_, groups_, out_maps_;
  base::StringId operation_a_, operation_count_, scale_, shift_, power_;
};

// The same for one layer; for many layers, create one WorkReader.
std::optional<ConvolutionParameters> convolution_parameters(const model::PlanModel& model,
                                                            model::LayerId layer);

// "[3,3]" -> {3, 3}; nothing where the text is not a flat list of integers.
std::optional<std::vector<std::int64_t>> parse_int_list(std::string_view text);

}  // namespace planex::analyze
