// One line of "Engine Layer Information": just a layer with its kind, tactic and ports.
//
//   Layer(CaskPooling): pool, Tactic: 0x8382d5c464539e87, x (Half[-1,32:8,28,28]) -> y (Half[…])
//   Layer(Shuffle): reshape, Tactic: 0, x[Float(-2,64,7,7)] -> y[Float(-2,3136,1,1)]        (8.2)
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/types.h"

namespace planex::ingest::tensorrt {

struct EngineLayerPort {
  std::string_view tensor;
  std::string_view type;    // "Half"
  std::string_view format;  // "Half[-1,32:8,28,28]"
  std::vector<std::int64_t> dims;
  // Elements of one axis that are adjacent, from "32:8"; 1 if nothing is given.
  std::int64_t vector_width = 1;
  model::Direction direction = model::Direction::kNull;
};

struct EngineLayerLine {
  std::string_view type;
  std::string_view name;
  std::string_view tactic;  // unchanged: hexadecimal, or a signed decimal
  // Inputs, then outputs.
  std::vector<EngineLayerPort> ports;
};

// False if the line is of another kind or breaks off: the part before that is kept. O(size).
bool parse_engine_layer_line(std::string_view text, EngineLayerLine& line);

// What such a port says about its layout: usually nothing, because several layouts have vectors of
// 2, 4, 8 and 16 elements.
model::Layout layout_of(const EngineLayerPort& port);

}  // namespace planex::ingest::tensorrt
