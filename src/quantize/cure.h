// Edits that avoid faults of an engine's arithmetic, without another calibration.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "onnx/edit.h"
#include "quantize/existing.h"
#include "quantize/only.h"

namespace planex::quantize {

// Writes 7-bit weights (+-63), for engines that add 8-bit products in 16 bits: from the values of
// the float model with new scales, where those values are known; else each integer is halved and
// its scale doubled. `weights`: places in Existing::weights; weights that are not int8 with zero
// point 0, or that fit already, are left alone. Returns the places that were changed. Errors: those
// of Values.
Result<std::vector<std::size_t>> narrow_weights(const ModelView& subject, const Existing& existing,
                                                const std::vector<FloatWeight>& floats,
                                                std::span<const std::size_t> weights,
                                                onnx::Edit& edit);

// Whether a pair is int8 with one scale and a zero point of 0: make_unsigned() can change it.
bool is_signed_pair(const ModelView& subject, const ExistingPair& pair);

// Makes int8 pairs uint8 with zero point 128 and the same scale, which represent the same numbers.
// For engines that move a Q to where the sign is lost. `pairs`: places in Existing::pairs; other DQ
// of the same Q change with them. Returns the places that were changed.
std::vector<std::size_t> make_unsigned(const ModelView& subject, const Existing& existing,
                                       std::span<const std::size_t> pairs, onnx::Edit& edit);

}  // namespace planex::quantize
