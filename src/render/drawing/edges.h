// The edges of a picture: words, colours and thickness of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/drawing/colours.h"
#include "render/drawing/flow.h"
#include "render/drawing/picture.h"
#include "render/words/layer_words.h"

namespace planex::render {

inline constexpr double kEdgeWordSize = 10, kEdgeWordStep = 12;

// 1.4 px up to 4 MB, and 0.75 px for each doubling beyond.
double stroke_of(std::optional<std::int64_t> bytes);

class EdgeMaker {
 public:
  EdgeMaker(const PictureInput& input, const PictureOptions& options, Colours& colours,
            const LayerWords& words);

  PictureEdge make(std::size_t edge) const;
  graph::layout::InputEdge measured(std::size_t edge, const PictureEdge& made) const;

 private:
  void choose_labelled();
  // Whether what flows is added to a result that its reader computes from something else.
  bool is_residual(const graph::BoxEdge& box_edge) const;
  std::vector<Line> words_of(std::size_t index, const graph::Edge& edge, const Ends& ends) const;

  const PictureInput& input_;
  const PictureOptions& options_;
  Colours& colours_;
  const LayerWords& words_;
  std::vector<bool> is_labelled_, is_residual_;  // an edge of the box graph
  std::vector<std::uint32_t> from_slot_;
};

}  // namespace planex::render
