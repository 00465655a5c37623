// From a TensorRT layer to the ONNX nodes that it comes from.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// `metadata` and `name` must live as long as the builder's strings: the sources point into them.

// "[ONNX Layer: a]<0x1E>[ONNX Layer: b]": from 8.6 on. Other marks than ONNX are kept unchanged.
void add_sources_of_metadata(model::LayerId layer, std::string_view metadata,
                             model::ModelBuilder& builder);

// "a.weight + Conv_3 + Relu_4", "PWN(PWN(a), b)", "a
// b": before 8.6 the name is the only source. Copies that TensorRT itself inserted have no source.
// "{ForeignNode[a...b]}" gives a and b, the first and the last operation that it computes. Marks of
// optimization profiles are removed. Names of Torch-TensorRT,
// "[CONVOLUTION]-[aten_ops.convolution.default]-[/features/0/convolution]", give the node and its
// operation.
void add_sources_of_name(model::LayerId layer, std::string_view name, model::ModelBuilder& builder);

// The members of a fused name: "a.weight", "Conv_3" and "Relu_4" for "a.weight + Conv_3 + Relu_4".
std::vector<std::string_view> parts_of_name(std::string_view name);

// "aten_ops.convolution.default" of a part that Torch-TensorRT named.
std::optional<std::string_view> torch_operation(std::string_view part);

// From the metadata if there is any, otherwise from the name of a layer that does work of the
// model. Name, family and role of the layer must be set.
void add_sources(model::LayerId layer, std::string_view metadata, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
