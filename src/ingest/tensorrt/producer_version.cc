#include "ingest/tensorrt/producer_version.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

struct Version {
  std::string_view version, evidence;
};

Version version_of(const VersionHints& hints) {
  const Era& era = hints.era;
  if (hints.saw_io_tensors) return {"11+", "the list \"I/O Tensors\""};
  if (!hints.saw_records) return {};
  if (era.strides_or_constants) return {"11+", "Constants or Strides keys"};
  if (era.stream_or_metadata && era.expanded_myelin) {
    return {"10.x", "StreamId or Metadata keys, kernels of Myelin blocks listed"};
  }
  if (era.stream_or_metadata) return {"8.6+", "StreamId or Metadata keys"};
  if (era.dynamic_filter) return {"8.5", "HasDynamicFilter keys, no StreamId"};
  return {"8.2–8.4", "neither HasDynamicFilter nor StreamId keys"};
}

// "[CONVOLUTION]-[aten_ops.convolution.default]-[/features/0/convolution]". Either some of the
// first layers have such a name, or none has.
bool has_torch_names(const model::PlanModel& model) {
  constexpr std::size_t kEnough = 100;
  const std::size_t count = std::min(model.layers.row_count(), kEnough);
  for (std::size_t row = 0; row < count; ++row) {
    const std::string_view name = model.text(model.layers.name[row]);
    if (name.find("]-[aten_ops.") != name.npos || name.find("]-[acc_ops.") != name.npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

void set_producer_version(const VersionHints& hints, model::ModelBuilder& builder) {
  const auto [version, evidence] = version_of(hints);
  if (version.empty()) return;
  model::EngineTable& engine = builder.model().engine;
  engine.producer_version.set(0, builder.strings().intern(version));
  const bool torch = has_torch_names(builder.model());
  engine.version_evidence.set(0, builder.strings().intern(base::format(
                                     "{}{}", evidence, torch ? "; names of Torch-TensorRT" : "")));
}

}  // namespace planex::ingest::tensorrt
