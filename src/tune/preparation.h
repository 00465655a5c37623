// Parses the text in which users say how pictures become samples.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drive/inference.h"
#include "planex/error.h"
#include "tune/model_file.h"

namespace planex::tune {

// "imagenet,resize=224x224,fit=crop": names of presets and key=value, separated by commas; values
// of several channels by colons ("mean=123.7:116.3:103.5"). Keys: resize (HxW), fit (stretch, pad,
// crop), fill, color (rgb, bgr, gray), layout (nchw, nhwc), mean, std, scale. `x` is 0 to 255: (x -
// mean) * scale, where scale is 1/std if std is given. What is omitted comes from `input`, the
// model's only picture: size, layout, gray of one channel; mean 0 and scale 1/255. Errors: kUsage
// (unknown key or value, with the nearest), kBadInput (neither says the size).
Result<drive::Preparation> parse_preparation(std::string_view text, const ModelInput& input);

// All settings as key=value: what is recorded and shown.
std::vector<std::string> describe(const drive::Preparation& preparation);

// Whether the text says how pixels become values: mean, scale, std or a preset.
bool says_values(std::string_view text);

// For the input, with pictures prepared this way: batch 1. Errors: kBadInput (does not fit the
// model).
Result<std::vector<std::int64_t>> sample_shape(const drive::Preparation& preparation,
                                               const ModelInput& input);

}  // namespace planex::tune
