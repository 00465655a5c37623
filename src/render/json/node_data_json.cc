#include "render/json/node_data_json.h"

#include <algorithm>
#include <cstddef>

#include "base/try.h"
#include "render/json/json_writer.h"
#include "render/words/palette.h"
#include "render/words/pieces.h"

namespace planex::render {
namespace {

bool has_numbers(const NodeDataGraph& graph) {
  return std::ranges::any_of(graph.nodes, [](const NodeDatum& node) {
    return std::holds_alternative<double>(node.value) && node.colour.empty();
  });
}

// From the coldest to the hottest, as drawings have it; the viewer interpolates between them.
void write_gradient(JsonWriter& json) {
  const Palette palette(Theme::kLight, PaletteName::kPlanex);
  json.key("gradient").begin_array();
  for (std::size_t step = 0; step < kHeatSteps; ++step) {
    json.begin_object();
    json.member("stop", static_cast<double>(step) / (kHeatSteps - 1));
    json.member("bgColor", palette.heat(step));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

Result<void> write_node_data(const NodeData& data, const DocumentSink& sink) {
  Pieces pieces(sink);
  std::string& text = pieces.text();
  JsonWriter json;
  // The name as a JSON text.
  const auto quoted = [&json](const std::string& name) { return json.value(name).take(); };
  text += '{';
  for (const NodeDataGraph& graph : data.graphs) {
    if (&graph != &data.graphs.front()) text += ",";
    text += "\n" + quoted(graph.id) + ":{\"name\":" + quoted(data.name);
    json.begin_object();
    if (has_numbers(graph)) write_gradient(json);
    if (data.sums_mislead) {
      json.key("hideAggregatedStats").begin_array().value("sum").end_array();
    }
    json.end_object();
    // The members, without the braces around them.
    const std::string members = json.take();
    if (members.size() > 2) text += "," + members.substr(1, members.size() - 2);
    text += ",\n\"results\":{";
    for (const NodeDatum& node : graph.nodes) {
      text += &node == &graph.nodes.front() ? "\n" : ",\n";
      text += quoted(node.node) + ":";
      json.begin_object();
      std::visit([&json](const auto& value) { json.member("value", value); }, node.value);
      if (!node.colour.empty()) json.member("bgColor", node.colour);
      json.end_object();
      text += json.take();
      PLANEX_TRY(pieces.end_record());
    }
    text += "\n}}";
  }
  text += "\n}\n";
  return pieces.finish();
}

}  // namespace planex::render
