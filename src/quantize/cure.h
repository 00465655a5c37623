// Edits that take an engine's arithmetic out of trouble, without another calibration.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "onnx/edit.h"
#include "quantize/existing.h"
#include "quantize/only.h"

namespace planex::quantize {

// Writes weights on 7 bits (+-63), for engines that add products of 8 bits in 16: from the values
// of the float model with scales of their own, where those are known; else each integer halved and
// its scale doubled. `weights`: places in Existing::weights; those that are no int8 with a zero
// point of 0 are left alone, as are those that fit already. Returns the places that were changed.
// Errors: those of Values.
Result<std::vector<std::size_t>> narrow_weights(const ModelView& subject, const Existing& existing,
                                                const std::vector<FloatWeight>& floats,
                                                std::span<const std::size_t> weights,
                                                onnx::Edit& edit);

// Whether a pair is int8 with one scale and a zero point of 0: make_unsigned() can change it.
bool is_signed_pair(const ModelView& subject, const ExistingPair& pair);

// Makes int8 pairs uint8 with zero point 128 and the same scale, which give the same numbers. For
// engines that move a Q to where they lose the sign. `pairs`: places in Existing::pairs; other DQ
// of the same Q change with them. Returns the places that were changed.
std::vector<std::size_t> make_unsigned(const ModelView& subject, const Existing& existing,
                                       std::span<const std::size_t> pairs, onnx::Edit& edit);

}  // namespace planex::quantize
