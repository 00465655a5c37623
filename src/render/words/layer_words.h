// Short descriptions of a layer in a graph: its parameters, its types, what is fused into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::render {

// Looks attributes up once for all layers.
class LayerWords {
 public:
  explicit LayerWords(const model::PlanModel& model);

  // "Convolution 3×3 /2 g32".
  std::string type_line(model::LayerId layer) const;
  // "3×3 /2 g32" of convolutions and poolings that list them; else empty.
  std::string parameters(model::LayerId layer) const;
  // "INT8 → FP16", or "FP16" where both ends agree; of a reformat that changes the layout alone
  // "FP16 NCHW → NHWC8". Empty where nothing is known.
  std::string flow(model::LayerId layer) const;
  bool changes_precision(model::LayerId layer) const;
  // The layer adds one of its inputs to what it computes, or is an addition. Searches its texts.
  bool adds(model::LayerId layer) const;
  // For a layer that adds: whether the input at this port (a row of `ports`, or graph::kNoRow) is a
  // summand.
  bool is_added(model::LayerId layer, std::uint32_t port) const;
  // Operations of a generated kernel, the residual input, the activation. At most `limit` lines.
  std::vector<std::string> details(model::LayerId layer, std::size_t limit) const;
  // Names of the source operations, at most `limit` of them.
  std::vector<std::string> sources(model::LayerId layer, std::size_t limit) const;

 private:
  // The layer's first ports that carry data; kNoPort where it has none.
  static constexpr std::size_t kNoPort = static_cast<std::size_t>(-1);
  std::size_t first_port(model::LayerId layer, model::Direction direction) const;
  std::size_t input_count(model::LayerId layer) const;

  const model::PlanModel& model_;
  base::StringId kernel_, window_, stride_, groups_, activation_, operations_;
};

}  // namespace planex::render
