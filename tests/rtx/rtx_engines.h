// The 26 real TensorRT-RTX logs of data/engines, and what each says, counted with text tools from
// the logs themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace planex::test {

struct RtxEngine {
  const char* name;
  std::size_t records;  // lines of layers
  std::size_t work;     // of them, those that compute or move something
  std::size_t streams, signals, waits, jumps, blocks;
  std::size_t with_sources;  // records that name operations of the source model
  std::size_t inputs, constants, distinct_constants, outputs;
  std::size_t operations;
  // What the builder reports, in bytes.
  std::optional<std::int64_t> weights, activations;
  // Multiply-accumulates of the layers, and of the model's operations.
  std::optional<std::int64_t> macs, operation_macs;
};

inline constexpr std::nullopt_t kUnknown = std::nullopt;

inline constexpr std::int64_t kResNet18Macs = 1'814'073'344;
inline constexpr std::int64_t kBranchesMacs = 1'400'111'104;
inline constexpr std::int64_t kTransformerMacs = 218'103'808;

// clang-format off
inline constexpr RtxEngine kRtxEngines[] = {
    {"bf16", 2, 2, 1, 0, 0, 0, 0, 2, 2, 6, 6, 2, 4,
     33'024, 8'194'048, 262'144, 262'144},
    {"branches-one-stream", 15, 15, 1, 0, 0, 0, 0, 13, 15, 39, 15, 15, 26,
     1'786'112, 13'811'712, kBranchesMacs, kBranchesMacs},
    {"branches-streams", 25, 15, 4, 4, 6, 0, 0, 13, 15, 39, 15, 15, 26,
     1'786'112, 43'204'608, kBranchesMacs, kBranchesMacs},
    {"chain1000", 500, 500, 1, 0, 0, 0, 0, 500, 500, 1500, 1500, 500, 1000,
     8'192'256, 8'208'384, 65'536'000, 65'536'000},
    // The batch of the model is dynamic; the layers of profile 0 are for a batch of one: three
    // convolutions and a classifier.
    {"cnn-two-profiles", 18, 17, 1, 0, 0, 0, 0, 13, 21, 28, 20, 17, 11,
     80'128, 9'764'864, 64LL * 64 * 32 * (3 + 32 + 32) * 9 + 32 * 10, kUnknown},
    {"conditional", 9, 6, 1, 0, 0, 4, 3, 7, 7, 2, 2, 6, 6,
     20'480, 512, 64 * 64 + 64 * 16, 64 * 64 + 64 * 16},
    {"failed-build-sm", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18,
     kUnknown, kUnknown, kUnknown, 12'582'912},
    {"failed-build-strip", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49,
     kUnknown, kUnknown, kUnknown, kResNet18Macs},
    {"fp8", 7, 7, 1, 0, 0, 0, 0, 7, 7, 12, 10, 7, 18,
     197'508, 8'241'152, 12'582'912, 12'582'912},
    {"int4", 6, 6, 1, 0, 0, 0, 0, 6, 6, 6, 6, 6, 9,
     167'428, 8'224'768, 5'242'880, 5'242'880},
    // The product after the loop: the log does not say how often that turns.
    {"loop", 10, 9, 1, 0, 0, 2, 1, 3, 8, 2, 2, 10, 5,
     20'480, 1'024, 64 * 16, 64 * 16},
    // The state is zero at first, so that the compiler leaves out its product in the first of ten
    // steps: 64 columns times four gates of 64.
    {"lstm", 12, 12, 1, 0, 0, 0, 0, 1, 33, 14, 6, 30, 1,
     164'352, 8'202'240, 10 * 256 * (32 + 64) - 256 * 64, 10 * 256 * (32 + 64)},
    {"misc-ops", 13, 13, 1, 0, 0, 0, 0, 10, 13, 14, 10, 14, 19,
     73'088, 8'978'432, 11'159'552, 11'159'552},
    {"mlp-qdq", 9, 9, 1, 0, 0, 0, 0, 9, 13, 20, 17, 12, 28,
     263'556, 8'306'688, 16'777'216, 16'777'216},
    {"odd-names", 2, 2, 1, 0, 0, 0, 0, 2, 2, 4, 4, 2, 4,
     2'304, 8'192'512, 2'048, 2'048},
    {"resnet18-fp16", 24, 24, 1, 0, 0, 0, 0, 24, 32, 83, 45, 24, 49,
     23'468'672, 10'199'040, kResNet18Macs, kResNet18Macs},
    {"resnet18-fp16-sm75", 25, 25, 1, 0, 0, 0, 0, 25, 33, 85, 47, 25, 49,
     23'895'168, 10'600'448, kResNet18Macs, kResNet18Macs},
    {"resnet18-fp32", 24, 24, 1, 0, 0, 0, 0, 23, 32, 82, 44, 24, 49,
     46'723'840, 12'808'192, kResNet18Macs, kResNet18Macs},
    {"resnet18-names-only", 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 49,
     23'468'672, 10'199'040, kResNet18Macs, kResNet18Macs},
    {"resnet18-qdq-naive", 76, 63, 5, 5, 8, 0, 0, 63, 71, 142, 87, 63, 133,
     11'697'092, 46'440'448, kResNet18Macs, kResNet18Macs},
    {"resnet18-qdq-residual", 81, 65, 5, 7, 9, 0, 0, 65, 73, 148, 90, 65, 149,
     11'697'092, 41'623'552, kResNet18Macs, kResNet18Macs},
    {"resnet18-qdq-residual-gap", 81, 65, 5, 7, 9, 0, 0, 65, 73, 150, 91, 65, 151,
     11'697'092, 41'623'552, kResNet18Macs, kResNet18Macs},
    // Batch and length are dynamic, in the model and in the layers.
    {"transformer-dynamic", 22, 21, 1, 0, 0, 0, 0, 21, 30, 40, 40, 22, 66,
     3'149'056, 16'580'608, kUnknown, kUnknown},
    {"transformer-fp16", 20, 20, 1, 0, 0, 0, 0, 20, 28, 40, 40, 20, 66,
     3'149'056, 8'650'752, kTransformerMacs, kTransformerMacs},
    {"transformer-fp32", 26, 26, 1, 0, 0, 0, 0, 26, 34, 50, 50, 26, 66,
     6'297'984, 9'240'576, kTransformerMacs, kTransformerMacs},
    {"transformer12-fp16", 120, 120, 1, 0, 0, 0, 0, 120, 168, 240, 240, 120, 396,
     169'878'784, 9'568'256, 11'173'625'856, 11'173'625'856},
};
// clang-format on

inline std::string rtx_folder(const RtxEngine& engine) {
  return "rtx1.7-" + std::string(engine.name);
}

}  // namespace planex::test
