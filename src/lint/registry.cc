// The rules, one line each. Nothing else names them.
#include <algorithm>
#include <array>

#include "lint/run.h"

#define PLANEX_LINT_RULES(X)           \
  X(conv_no_tensor_core)               \
  X(int8_conv_writes_float)            \
  X(channels_not_aligned)              \
  X(reformat_changes_type)             \
  X(slice_changes_type)                \
  X(quantization_undone)               \
  X(qdq_unfused)                       \
  X(quantized_layer_writes_float)      \
  X(activation_read_in_two_precisions) \
  X(float_layer_between_quantized)     \
  X(conversion_over_3_percent)         \
  X(qdq_before_activation)             \
  X(pointwise_not_fused)               \
  X(clamp_as_a_layer)                  \
  X(group_norm_in_pieces)              \
  X(attention_not_fused)               \
  X(padding_as_a_layer)                \
  X(concat_copies)                     \
  X(kv_cache_copied)                   \
  X(recurrence_unrolled)               \
  X(transpose_as_a_layer)              \
  X(layout_round_trip)                 \
  X(reformat_changes_layout)           \
  X(conversions_in_a_row)              \
  X(tensor_converted_twice)            \
  X(layout_pads_channels)              \
  X(no_reduced_precision)              \
  X(float32_rest_of_quantized)         \
  X(float32_island)                    \
  X(weights_bound_product)             \
  X(products_share_input)              \
  X(convolutions_share_input)          \
  X(dla_split_by_gpu_layer)            \
  X(float_conv_of_quantized_weights)   \
  X(qdq_computed_in_float)             \
  X(quantizer_kernel_alone)            \
  X(float32_on_bfloat16_cpu)           \
  X(auxiliary_streams)                 \
  X(profile_range_wide)                \
  X(many_short_layers)                 \
  X(opaque_block)                      \
  X(layer_times_scatter)               \
  X(profiled_few_times)                \
  X(inference_times_unsteady)          \
  X(machine_disturbed_timing)

namespace planex::lint {

#define PLANEX_DECLARE_RULE(id) extern const Rule id;
namespace rules_by_id {
PLANEX_LINT_RULES(PLANEX_DECLARE_RULE)
}  // namespace rules_by_id
#undef PLANEX_DECLARE_RULE

std::span<const Rule* const> rules() {
#define PLANEX_ADDRESS_OF_RULE(id) &rules_by_id::id,
  static constexpr auto kRules =
      std::to_array<const Rule*>({PLANEX_LINT_RULES(PLANEX_ADDRESS_OF_RULE)});
#undef PLANEX_ADDRESS_OF_RULE
  return kRules;
}

const Rule* find_rule(std::string_view id) {
  const auto all = rules();
  const auto found = std::ranges::find(all, id, [](const Rule* rule) { return rule->info.id; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace planex::lint
