// Facts about single layers that several rules need: what they were made from, whether they only
// change a layout, their sizes as text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantities.h"
#include "lint/context.h"

namespace planex::lint {

bool is_tensorrt_rtx(const Context& context);

// Whether an operation of the source model of this type went into the layer.
bool has_source(const Context& context, LayerId layer, std::string_view op_type);
// Whether the layer has sources, and each is of one of these types.
bool has_only_sources(const Context& context, LayerId layer,
                      std::span<const std::string_view> op_types);

// Convolutions and matrix products, also where a log names only their implementation
// (CaskConvolution).
bool is_matrix_like(const Context& context, LayerId layer);

// Whether no convolution or matrix product comes before the layer, or after it: its channels are
// then those of the network's input, or of its results. Anything can be between it and the edge:
// padding, a quantizer, the softmax of a detection head. False if the search is too long.
bool is_first_product(const Context& context, LayerId layer);
bool is_last_product(const Context& context, LayerId layer);

// A work layer that copies one tensor into another layout: same type, same dimensions. TensorRT's
// Reformat, OpenVINO's Reorder, and Myelin kernels that only move data.
struct LayoutChange {
  LayerId layer;
  PortRow in = 0, out = 0;
};
std::optional<LayoutChange> layout_change(const Context& context, LayerId layer);
// The layout's usual name, but NWC or NCW if the tensor has three dimensions.
std::string layout_name(const Context& context, PortRow port);
// "NHWC8 → NCHW"; "unknown → NCHW" if the file names only one.
std::string layout_text(const Context& context, PortRow from, PortRow to);
std::string layout_text(const Context& context, const LayoutChange& change);

// A tensor leaves a layout that keeps channels together (NHWC8, NC/32HW32) for one that does not,
// and comes back to such a layout.
struct RoundTrip {
  LayoutChange there, back;
  std::vector<LayerId> between;  // work layers, in order of discovery
};
// In the order of the first changes. Cost: a few bounded walks per layout change.
std::vector<RoundTrip> round_trips(const Context& context);

// Whether a port that reads a tensor reads all of it. One name can mean several tensors of the
// model: TensorRT writes the outputs of merged convolutions, and the inputs of a concatenation,
// side by side, and each reader takes its part. Where its part begins is not recorded, so two
// readers read the same only if both read all. False if dims are not known.
bool reads_whole(const Context& context, PortRow reader);

// Whether a CPU's caches hold the tensor between the layer that writes it and the one that reads
// it, so that a smaller type saves almost nothing. Only true for engines for CPUs.
bool stays_in_caches(const Context& context, PortRow port);

// The dimensions without those that are 1.
std::vector<std::int64_t> without_ones(std::span<const std::int64_t> dims);
// Their product. Null where one is dynamic or it overflows.
std::optional<double> element_count(std::span<const std::int64_t> dims);

// The value of a row of `metadata`, in any section; empty if there is none.
std::string_view metadata(const Context& context, std::string_view key);

// The names of the layers at the end of a walk, or `edge` if there are none.
std::string names_or(const Context& context, const Walk& walk, std::string_view edge);
// "8.1 % of the layer time". Empty if nothing was measured.
std::string share_text(const Context& context, double ms);

// Formatted as everywhere else.
using base::bytes_text;
using base::dims_text;

}  // namespace planex::lint
