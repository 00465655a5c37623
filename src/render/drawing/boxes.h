// The boxes of a picture: words, colours and size of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/drawing/colours.h"
#include "render/drawing/picture.h"
#include "render/drawing/times.h"
#include "render/words/layer_words.h"

namespace planex::render {

// Sizes of text and of the space around it, in pixels.
inline constexpr double kNameSize = 12, kWordSize = 10.5;
inline constexpr double kStripWidth = 5, kBarWidth = 72, kPillHead = 24;
inline constexpr double kTextLeft = 12, kTextRight = 9;
inline constexpr double kFirstLine = 15, kLineStep = 13;  // baselines
inline constexpr double kMarkWidth = 16;                  // the sign of a finding
// Names of any length cost as much as this many bytes of them.
inline constexpr std::size_t kMaxNameBytes = 2000;

// Builds the boxes one after another.
class BoxMaker {
 public:
  BoxMaker(const PictureInput& input, const PictureOptions& options, Colours& colours,
           const Times& times, const LayerWords& words);

  PictureBox make(std::size_t box);
  // The sizes; only the width of layers depends on all boxes.
  graph::layout::InputBox measured(std::size_t box, const PictureBox& made) const;
  // To be called once all boxes are made: how wide layers are, and the names cut to fit.
  void choose_width(std::vector<PictureBox>& boxes);

 private:
  void make_node(const graph::Node& node, graph::NodeId id, PictureBox& box);
  void make_layer(const graph::Node& node, PictureBox& box);
  void make_reformat(const graph::Node& node, PictureBox& box);
  void make_tensor(const graph::Node& node, graph::NodeId id, PictureBox& box);
  void make_operation(const graph::Node& node, PictureBox& box);
  void make_group(graph::GroupId group, std::size_t index, PictureBox& box);
  void add_layer_lines(model::LayerId layer, PictureBox& box);
  void add_turns(const graph::Group& group, PictureBox& box);
  void paint(const graph::Node& node, PictureBox& box);
  std::string shown_name(const graph::Node& node) const;
  std::string memory_text(const graph::Node& node, std::uint32_t port) const;
  double needed_width(const PictureBox& box) const;
  double name_room(const PictureBox& box) const;
  void cut_lines(PictureBox& box) const;
  double box_width(const PictureBox& box) const;
  void sum_parts();
  void find_ports();

  const PictureInput& input_;
  const PictureOptions& options_;
  Colours& colours_;
  const Times& times_;
  const LayerWords& words_;
  std::vector<std::string> short_names_;
  std::vector<bool> has_findings_;  // a layer
  // A port that shows the contents of each memory node and binding; kNoRow: none.
  std::vector<std::uint32_t> port_of_node_;
  std::vector<std::vector<Part>> parts_;  // a box; only of groups
  double layer_width_ = 0, pill_width_ = 0;
};

}  // namespace planex::render
