#include "render/drawing/picture.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "render/drawing/boxes.h"
#include "render/drawing/colours.h"
#include "render/drawing/edges.h"
#include "render/drawing/line_width.h"
#include "render/drawing/surroundings.h"
#include "render/words/characters.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using base::format;
namespace layout = graph::layout;

constexpr double kFrameTitleSize = 11, kFrameStrip = 20;
// A frame is at least as high as this much of its title.
constexpr double kMaxTitleHeight = 120;

// "layer1" and how much is in it.
Line frame_title(const graph::Group& group, const Times& times) {
  Line line;
  line.push_back(
      {.text = visible(std::string_view(group.name).substr(0, 400)), .ink = TextInk::kBold});
  std::string rest = group.layer_count > 0 ? base::counted(group.layer_count, "layer")
                                           : base::counted(group.node_count, "operation");
  if (group.median_ms) {
    rest += format(" · {} ms", ms_text(*group.median_ms));
    const auto share = times.share_of_group(group.median_ms);
    if (share) rest += format(" · {} of Σ", share_text(*share));
  }
  if (!group.outliers.empty()) {
    rest += format(" · {} stand out", base::counted(group.outliers.size(), "turn"));
  }
  line.push_back({.text = "  " + rest, .ink = TextInk::kSoft});
  return line;
}

// What fits the frame: the whole title, else the name, else a part of it.
void fit_title(PictureFrame& frame, double room) {
  frame.title_width = line_width(frame.title, kFrameTitleSize);
  if (frame.title_width <= room) return;
  frame.title.resize(1);
  frame.title[0].text =
      fitted(frame.title[0].text, std::max(room, 12.0), Face::kBold, kFrameTitleSize);
  frame.title_width = line_width(frame.title, kFrameTitleSize);
}

void make_boxes(Picture& picture, layout::Input& input, Colours& colours, const Times& times,
                const LayerWords& words) {
  BoxMaker maker(picture.input, picture.options, colours, times, words);
  const std::size_t count = picture.input.boxes->boxes.size();
  picture.boxes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) picture.boxes.push_back(maker.make(i));
  maker.choose_width(picture.boxes);
  input.boxes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    input.boxes.push_back(maker.measured(i, picture.boxes[i]));
  }
}

void make_edges(Picture& picture, layout::Input& input, Colours& colours, const LayerWords& words) {
  const EdgeMaker maker(picture.input, picture.options, colours, words);
  const std::size_t count = picture.input.boxes->edges.size();
  picture.edges.reserve(count);
  input.edges.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    picture.edges.push_back(maker.make(i));
    input.edges.push_back(maker.measured(i, picture.edges.back()));
  }
}

void make_frames(Picture& picture, layout::Input& input, const Times& times) {
  for (const graph::Frame& frame : picture.input.boxes->frames) {
    const graph::Group& group = picture.input.tree->groups[frame.group.index()];
    PictureFrame made{.title = frame_title(group, times)};
    const double name = text_width(made.title[0].text, Face::kBold, kFrameTitleSize);
    input.frames.push_back({.parent = frame.parent,
                            .title_width = kFrameStrip,
                            .title_height = std::min(name, kMaxTitleHeight)});
    picture.frames.push_back(std::move(made));
  }
}

}  // namespace

Picture make_picture(PictureInput input, const PictureOptions& options) {
  Picture picture;
  picture.input = std::move(input);
  picture.options = options;
  Colours colours(*picture.input.model, *picture.input.graph, options);
  const Times& times =
      picture.times.emplace(*picture.input.model, *picture.input.graph, options.time);
  const LayerWords words(*picture.input.model);
  {
    layout::Input measures;
    measures.options.ports =
        options.ports_in_order ? layout::PortOrder::kGiven : layout::PortOrder::kFree;
    make_boxes(picture, measures, colours, times, words);
    make_edges(picture, measures, colours, words);
    make_frames(picture, measures, times);
    picture.layout = layout::lay_out(measures);
  }
  for (std::size_t i = 0; i < picture.frames.size(); ++i) {
    fit_title(picture.frames[i], picture.layout.frames[i].height - 12);
  }
  picture.title = title_of(picture.input, options, times);
  picture.ruler = ruler_of(picture, times);
  picture.legend = legend_of(picture, colours, times);
  arrange(picture);
  picture.colours = colours.take();
  return picture;
}

}  // namespace planex::render
