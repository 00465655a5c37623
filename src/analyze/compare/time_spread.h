// Distributes the time of a layer over operations of the source model, and in what proportion.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/work/work.h"
#include "model/plan_model.h"

namespace planex::analyze {

// The weakest rule first: the one with the least information decides.
enum class ShareRule : std::uint8_t {
  kEven,   // nothing else is known
  kBytes,  // bytes that each reads, writes and stores
  kFlops,  // what each computes
  kSole,   // there is one operation only
};
std::string_view to_string(ShareRule rule);

// Views into the model.
struct SpreadPart {
  std::string_view name;
  std::string_view type;  // empty where it is not known
  // The weight or bias that precedes it in the layer's name: it identifies which convolution
  // "Conv_34" is, whose number changes with the next export of the model. Empty without one.
  std::string_view parameter;
  std::int64_t weight = 0;
};

struct Spread {
  ShareRule rule = ShareRule::kEven;
  // As the layer lists them; empty where no operation is known.
  std::vector<SpreadPart> parts;
  // The layer only changes the layout of what these operations read or write.
  bool is_reformat_for_them = false;
};

// Weights and biases that a name lists ("conv1.weight + Conv_9") are not operations. They, and
// operations that only compute on weights, get nothing if the layer has others.
//
// FLOPs are those of the operations table; of engines without one, the layer's own: 2 per MAC for
// its only product, one per output element for each pointwise operation, one per element of the
// window for pooling. Bytes are those of the operations table.
//
// A layer without sources is assigned to an operation where the engine says so: TensorRT's origin
// QDQ on a layer named like the quantizer, "Reformatting CopyNode for Output Tensor 0 to X" where X
// is a layer.
class TimeSpread {
 public:
  // `model` must be completed and outlive this. Cost: O(layers + operations + operation_ports).
  explicit TimeSpread(const model::PlanModel& model);

  // Cost: O(sources of the layer), besides its attributes.
  Spread of(model::LayerId layer) const;

 private:
  struct Operation {
    std::string_view type, domain;
    std::optional<std::int64_t> flops, bytes;
    bool has_weights_only = false;
    bool is_ambiguous = false;  // several operations have this name
  };
  struct Source;

  void read_operations();
  std::vector<Source> sources_of(model::LayerId layer) const;
  void derive_flops(model::LayerId layer, std::vector<Source>& sources) const;
  std::optional<std::int64_t> pooling_flops(model::LayerId layer) const;
  Spread spread(model::LayerId layer) const;

  const model::PlanModel& model_;
  std::unordered_map<std::string_view, Operation> operations_;
  std::unordered_map<std::string_view, model::LayerId> layer_of_name_;
  base::StringId window_, pooling_window_;
};

}  // namespace planex::analyze
