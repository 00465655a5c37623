// Facts about single layers that several rules ask for: what they were made of, whether they only
// change a layout, what their sizes are as texts.
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

// An operation of the source model of this type went into the layer.
bool has_source(const Context& context, LayerId layer, std::string_view op_type);
// The layer has sources, and each is of one of these types.
bool has_only_sources(const Context& context, LayerId layer,
                      std::span<const std::string_view> op_types);

// Convolutions and matrix products, also where a log names only their implementation
// (CaskConvolution).
bool is_matrix_like(const Context& context, LayerId layer);

// No convolution or matrix product is before the layer, or behind it: its channels are those of the
// network's input, or of what it is asked for. What lies between and the edge may be anything:
// padding, a quantizer, the softmax of a detection head. False where the search is too long.
bool is_first_product(const Context& context, LayerId layer);
bool is_last_product(const Context& context, LayerId layer);

// A work layer that copies one tensor into another layout: same type, same dimensions. TensorRT's
// Reformat, OpenVINO's Reorder, and a kernel of Myelin's own that only moves data.
struct LayoutChange {
  LayerId layer;
  PortRow in = 0, out = 0;
};
std::optional<LayoutChange> layout_change(const Context& context, LayerId layer);
// As the field has it, and NWC or NCW where the tensor has three dimensions.
std::string layout_name(const Context& context, PortRow port);
// "NHWC8 → NCHW"; "unknown → NCHW" where the file names but one.
std::string layout_text(const Context& context, PortRow from, PortRow to);
std::string layout_text(const Context& context, const LayoutChange& change);

// A tensor leaves a layout that keeps channels together (NHWC8, NC/32HW32) for one that does not,
// and comes back to such a layout.
struct RoundTrip {
  LayoutChange there, back;
  std::vector<LayerId> between;  // work layers, in order of discovery
};
// In the order of the first changes. Cost: of a few bounded walks per layout change.
std::vector<RoundTrip> round_trips(const Context& context);

// Whether a port that reads a tensor reads all of it. One name can stand for several tensors of the
// model: TensorRT writes the outputs of merged convolutions, and the inputs of a concatenation,
// side by side, and each reader takes its part. Where its part begins is not on record, so two
// readers read the same only where both read all. False where dims are not known.
bool reads_whole(const Context& context, PortRow reader);

// A processor's caches hold the tensor between the layer that writes it and the one that reads it,
// so that a smaller type saves next to nothing. Only said of engines for processors.
bool stays_in_caches(const Context& context, PortRow port);

// The dimensions without those that are 1.
std::vector<std::int64_t> without_ones(std::span<const std::int64_t> dims);
// Their product. Null where one is dynamic or it overflows.
std::optional<double> element_count(std::span<const std::int64_t> dims);

// The value of a row of `metadata`, whatever its section; empty where there is none.
std::string_view metadata(const Context& context, std::string_view key);

// The names of the layers at the end of a walk, or `edge` where there are none.
std::string names_or(const Context& context, const Walk& walk, std::string_view edge);
// "8.1 % of the time of all layers". Empty where nothing was measured.
std::string share_text(const Context& context, double ms);

// As everything else writes them.
using base::bytes_text;
using base::dims_text;

}  // namespace planex::lint
