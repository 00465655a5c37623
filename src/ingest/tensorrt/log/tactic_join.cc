#include "ingest/tensorrt/log/tactic_join.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/format.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

using model::LayerId;
using model::PlanModel;

// "Float(784,784:4,28,1)" to a type and the number of adjacent elements: 4, or 1.
struct ChosenFormat {
  model::DType dtype = model::DType::kNull;
  std::int64_t vector_width = 1;
};

ChosenFormat chosen_format_of(std::string_view text) {
  const std::size_t open = text.find('(');
  ChosenFormat chosen{.dtype = parse_type(text.substr(0, open))};
  const std::size_t colon = text.find(':', std::min(open, text.size()));
  if (colon == text.npos) return chosen;
  const std::string_view rest = text.substr(colon + 1);
  chosen.vector_width = count_of(rest.substr(0, rest.find_first_of(",)"))).value_or(1);
  return chosen;
}

// The formats of a list, whose own commas are in brackets.
std::vector<std::string_view> formats_in(std::string_view list) {
  std::vector<std::string_view> formats;
  std::size_t depth = 0, begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at == list.size() ? ',' : list[at];
    depth += c == '(' ? 1 : 0;
    depth -= c == ')' && depth > 0 ? 1 : 0;
    if (c != ',' || (depth > 0 && at < list.size())) continue;
    const std::string_view one = base::trimmed(list.substr(begin, at - begin));
    if (!one.empty()) formats.push_back(one);
    begin = at + 1;
  }
  return formats;
}

// The number of adjacent elements at a port, if known.
std::optional<std::int64_t> vector_width_of(const PlanModel& model, std::size_t port) {
  const std::string_view raw = model.text(model.ports.raw_format[port]);
  // "Half[-1,32:8,28,28]" of an engine's listing.
  if (const std::size_t bracket = raw.find('['); bracket != raw.npos) {
    const std::size_t colon = raw.find(':', bracket);
    if (colon == raw.npos) return 1;
    const std::string_view rest = raw.substr(colon + 1);
    return count_of(rest.substr(0, rest.find_first_of(",]")));
  }
  if (model.ports.layout.is_null(port)) return std::nullopt;
  const model::Layout layout = model.ports.layout[port];
  if (layout.order == model::Order::kStrided) return std::nullopt;
  return layout.channel_vector;
}

class TacticJoin {
 public:
  TacticJoin(std::span<const FormatAtBorder> borders, PlanModel& model)
      : borders_(borders), model_(model) {}

  void run() {
    index_layers();
    set_layers();
    find_tactics();
    set_used();
  }

 private:
  struct Layer {
    std::vector<std::size_t> choices;          // of the kept version, with matching formats
    std::string_view tactic;                   // as recorded by the engine
    std::vector<std::size_t> inputs, outputs;  // ports
  };

  // Names that several layers share are useless here.
  void index_layers() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      if (model_.layers.name.is_null(row) || !model_.is_shown(layer)) continue;
      const auto [found, is_new] =
          by_name_.try_emplace(model_.text(model_.layers.name[row]), layer);
      if (!is_new) found->second = LayerId();
    }
  }

  void set_layers() {
    model::TacticChoicesTable& choices = model_.tactic_choices;
    for (std::size_t row = 0; row < choices.row_count(); ++row) {
      const auto found = by_name_.find(model_.text(choices.layer[row]));
      if (found == by_name_.end() || choices.layer.is_null(row)) continue;
      if (model_.text(choices.kind[row]) != "layer" || found->second.is_null()) continue;
      choices.layer_id.set(row, found->second);
      if (choices.is_kept.get(row) == 1) layers_[found->second.index()].choices.push_back(row);
    }
    model::TacticsTable& tactics = model_.tactics;
    for (std::size_t row = 0; row < tactics.row_count(); ++row) {
      tactics.layer_id.set(row, choices.layer_id[tactics.choice_id[row].index()]);
    }
  }

  void find_tactics() {
    const base::StringId key = model_.strings.find("TacticValue");
    const model::AttributesTable& attributes = model_.attributes;
    for (std::size_t row = 0; !key.is_null() && row < attributes.row_count(); ++row) {
      if (attributes.key[row] != key) continue;
      const auto found = layers_.find(attributes.layer_id[row].index());
      if (found != layers_.end()) found->second.tactic = model_.text(attributes.value[row]);
    }
    const model::PortsTable& ports = model_.ports;
    for (std::size_t row = 0; row < ports.row_count(); ++row) {
      const auto found = layers_.find(ports.layer_id[row].index());
      if (found == layers_.end()) continue;
      if (ports.direction[row] == model::Direction::kInput) found->second.inputs.push_back(row);
      if (ports.direction[row] == model::Direction::kOutput) found->second.outputs.push_back(row);
    }
    for (const FormatAtBorder& border : borders_) {
      borders_of_[border.layer].push_back(&border);
    }
  }

  bool fit(std::string_view list, std::span<const std::size_t> ports) const {
    const std::vector<std::string_view> formats = formats_in(list);
    for (std::size_t i = 0; i < std::min(formats.size(), ports.size()); ++i) {
      const ChosenFormat chosen = chosen_format_of(formats[i]);
      const model::DType dtype = model_.ports.dtype[ports[i]];
      if (dtype != model::DType::kNull && chosen.dtype != model::DType::kNull &&
          dtype != chosen.dtype) {
        return false;
      }
      const auto width = vector_width_of(model_, ports[i]);
      if (width && *width != chosen.vector_width) return false;
    }
    return true;
  }

  bool fits_borders(std::size_t choice) const {
    const model::TacticChoicesTable& choices = model_.tactic_choices;
    const auto found = borders_of_.find(model_.text(choices.layer[choice]));
    if (found == borders_of_.end()) return true;
    for (const FormatAtBorder* border : found->second) {
      if (border->version != choices.version[choice]) continue;
      const std::vector<std::string_view> formats = formats_in(model_.text(
          border->is_input ? choices.input_formats[choice] : choices.output_formats[choice]));
      if (border->index < formats.size() && formats[border->index] != border->format) return false;
    }
    return true;
  }

  void set_used() {
    model::TacticChoicesTable& choices = model_.tactic_choices;
    for (auto& [row, layer] : layers_) {
      std::optional<std::size_t> used;
      std::size_t possible = 0;
      for (const std::size_t choice : layer.choices) {
        if (model_.text(choices.answer[choice]) == "none") continue;
        // If the timing cache silently made the choice, the tactic can be any.
        const bool has_tactic = !choices.tactic.is_null(choice);
        if (has_tactic && !layer.tactic.empty() &&
            model_.text(choices.tactic[choice]) != layer.tactic) {
          continue;
        }
        if (!fits_borders(choice)) continue;
        if (!fit(model_.text(choices.input_formats[choice]), layer.inputs)) continue;
        if (!fit(model_.text(choices.output_formats[choice]), layer.outputs)) continue;
        ++possible;
        used = choice;
      }
      if (possible != 1 || choices.tactic.is_null(*used)) continue;
      for (const std::size_t choice : layer.choices) choices.is_used.set(choice, 0);
      choices.is_used.set(*used, 1);
    }
  }

  std::span<const FormatAtBorder> borders_;
  PlanModel& model_;
  std::unordered_map<std::string_view, LayerId> by_name_;
  std::unordered_map<std::size_t, Layer> layers_;  // by layer
  std::unordered_map<std::string_view, std::vector<const FormatAtBorder*>> borders_of_;
};

}  // namespace

void join_tactics(std::span<const FormatAtBorder> borders, PlanModel& model) {
  if (model.tactic_choices.row_count() > 0) TacticJoin(borders, model).run();
}

}  // namespace planex::ingest::tensorrt
