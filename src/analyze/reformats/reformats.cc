#include "analyze/reformats/reformats.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyze/reformats/reformat_verdicts.h"

namespace planex::analyze {
namespace {

using graph::DataFlow;
using graph::PortRow;
using model::DType;
using model::LayerId;
using model::TensorId;

class ReformatExplainer {
 public:
  ReformatExplainer(const model::PlanModel& model, const Reconciliation& time)
      : model_(model),
        flow_(model, graph::GeneratedKernels::kMayConvert),
        times_(model, time),
        judge_(flow_),
        group_of_tensor_(model.tensors.row_count(), kNoGroup) {}

  ReformatExplanation run() {
    result_.basis = times_.basis();
    result_.layers_ms = times_.sum_ms();
    for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
      const bool works = flow_.works(LayerId(row));
      if (works && model_.layers.is_reformat.get(row) == 1) add_row(LayerId(row));
      if (works && model_.layers.is_reformat.is_null(row)) ++result_.unknown_count;
    }
    sort_groups();
    std::ranges::stable_sort(result_.by_type, ReformatExplainer::is_costlier);
    std::ranges::stable_sort(result_.by_origin, ReformatExplainer::is_costlier);
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);

  static bool is_costlier(const ReformatsOfWord& a, const ReformatsOfWord& b) {
    return std::tuple(a.totals.time_ms.value_or(-1), a.totals.io_bytes.value_or(-1)) >
           std::tuple(b.totals.time_ms.value_or(-1), b.totals.io_bytes.value_or(-1));
  }

  void add_row(LayerId layer) {
    ReformatRow row;
    row.layer = layer;
    const auto in = flow_.inputs(layer), out = flow_.outputs(layer);
    if (!in.empty()) row.from = in[0];
    if (!out.empty()) row.to = out[0];
    row.from_type = flow_.first_data_type(layer);
    row.to_type = row.to ? flow_.type_of(*row.to) : DType::kNull;
    compare_ends(row);
    find_neighbours(row);
    row.time_ms = times_.of(layer);
    row.share = times_.share(row.time_ms);
    row.input_bytes = model_.layers.input_bytes.get(layer.index());
    row.output_bytes = model_.layers.output_bytes.get(layer.index());
    row.group = group_of(row);
    row.root = result_.groups[row.group].root;
    judge_.judge(row, is_repeated(row));
    count(row);
    result_.groups[row.group].rows.push_back(result_.rows.size());
    result_.rows.push_back(std::move(row));
  }

  void compare_ends(ReformatRow& row) const {
    if (row.from_type == DType::kNull || row.to_type == DType::kNull) return;
    row.type_differs = row.from_type != row.to_type;
    if (row.from && row.to) {
      const model::Layout from = model_.ports.layout[*row.from];
      const model::Layout to = model_.ports.layout[*row.to];
      const bool known = from.order != model::Order::kNull && to.order != model::Order::kNull;
      row.layout_differs = known && !(from == to);
      const auto& strides = model_.ports.strides;
      row.strides_differ = !row.layout_differs && !strides.is_null(*row.from) &&
                           !strides.is_null(*row.to) &&
                           !std::ranges::equal(strides[*row.from], strides[*row.to]);
    }
    const bool small_in = model::is_quantized(row.from_type);
    const bool small_out = model::is_quantized(row.to_type);
    const auto name = model_.text(model_.layers.name[row.layer.index()]);
    if (!small_in && small_out && model::is_float(row.from_type)) {
      row.kind = ConversionKind::kQuantize;
    } else if (small_in && !small_out && model::is_float(row.to_type)) {
      row.kind = ConversionKind::kDequantize;
    } else if (graph::generated_conversion(name, row.from_type, row.to_type) ==
               graph::GeneratedConversion::kRoundTrip) {
      row.kind = ConversionKind::kRoundTrip;
    } else if (row.type_differs && small_in && small_out &&
               flow_.family(row.layer) != model::Family::kReformat) {
      row.kind = ConversionKind::kQuantize;  // OpenVINO: raw UINT8 pixels to INT8
    } else if (row.type_differs) {
      row.kind = ConversionKind::kCast;
    } else if (row.layout_differs || row.strides_differ) {
      row.kind = ConversionKind::kLayout;
    } else {
      row.kind = ConversionKind::kCopy;
    }
  }

  static std::vector<Neighbour> neighbours_of(const graph::Walk& walk) {
    std::vector<Neighbour> result;
    for (const graph::Reach& reach : walk.reaches) {
      if (result.size() == kMaxNeighbours) break;
      result.push_back({reach.layer, reach.port});
    }
    return result;
  }

  void find_neighbours(ReformatRow& row) const {
    if (row.from) {
      const graph::Walk walk = flow_.real_writers(flow_.tensor_of(*row.from));
      row.producers = neighbours_of(walk);
      row.at_engine_input = walk.ends_at_engine_edge;
    }
    if (row.to) {
      const graph::Walk walk = flow_.real_readers(flow_.tensor_of(*row.to));
      row.consumers = neighbours_of(walk);
      row.at_engine_output = walk.ends_at_engine_edge;
    }
  }

  // An earlier conversion reads the same tensor and produces the same.
  bool is_repeated(const ReformatRow& row) {
    if (!row.from || !row.to || row.to_type == DType::kNull) return false;
    const model::Layout layout = model_.ports.layout[*row.to];
    // The name distinguishes formats that share a word, and strides without a layout.
    const auto key = std::tuple(flow_.tensor_of(*row.from).index(), row.to_type, layout.order,
                                layout.channel_vector, row.kind);
    const bool is_new = made_.insert({key, row.layer}).second;
    // A copy of a part is a different part each time.
    return !is_new && row.kind != ConversionKind::kCopy && !is_part(row);
  }

  bool is_part(const ReformatRow& row) const {
    const auto from = flow_.dims_of(*row.from), to = flow_.dims_of(*row.to);
    return !std::ranges::equal(from, to);
  }

  std::size_t group_of(const ReformatRow& row) {
    if (!row.from) {
      auto& group = row.to ? group_of_weights_ : group_of_unknown_;
      if (!group) group = new_group({}, {});
      return *group;
    }
    const TensorId tensor = flow_.tensor_of(*row.from);
    std::size_t group = group_of_tensor_[tensor.index()];
    if (group == kNoGroup) {
      group = new_group(tensor, row.producers.empty() ? LayerId() : row.producers[0].layer);
      group_of_tensor_[tensor.index()] = group;
    }
    // Its output belongs to the same chain; a tensor that several layers write starts a new one.
    if (row.to) {
      const TensorId made = flow_.tensor_of(*row.to);
      if (flow_.writers(made).size() == 1) group_of_tensor_[made.index()] = group;
    }
    return group;
  }

  std::size_t new_group(TensorId root, LayerId writer) {
    result_.groups.push_back({.root = root, .writer = writer, .rows = {}, .totals = {}});
    return result_.groups.size() - 1;
  }

  void count(const ReformatRow& row) {
    const auto add = [&](LayerTotals& totals) { times_.add(row.layer, totals); };
    add(result_.all);
    add(result_.by_kind[static_cast<std::size_t>(row.kind)]);
    add(row.verdict == ReformatVerdict::kAvoidable ? result_.avoidable
        : row.verdict == ReformatVerdict::kNeeded  ? result_.needed
                                                   : result_.unclear);
    if (row.changed_by == ChangedBy::kModel) add(result_.by_model);
    if (row.changed_by == ChangedBy::kCaller) add(result_.by_caller);
    add(of_word(result_.by_type, type_rows_, model_.layers.type[row.layer.index()]));
    add(of_word(result_.by_origin, origin_rows_, model_.layers.origin[row.layer.index()]));
    ReformatGroup& group = result_.groups[row.group];
    add(group.totals);
    if (row.worth_ms) group.worth_ms = group.worth_ms.value_or(0) + *row.worth_ms;
  }

  LayerTotals& of_word(std::vector<ReformatsOfWord>& words,
                       std::map<std::string_view, std::size_t>& rows, base::StringId word) {
    const std::string_view text = model_.text(word);
    const auto [entry, is_new] = rows.try_emplace(text, words.size());
    if (is_new) words.push_back({std::string(text), {}});
    return words[entry->second].totals;
  }

  void sort_groups() {
    std::vector<std::size_t> order(result_.groups.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      const LayerTotals &left = result_.groups[a].totals, &right = result_.groups[b].totals;
      return std::tuple(left.time_ms.value_or(-1), left.io_bytes.value_or(-1)) >
             std::tuple(right.time_ms.value_or(-1), right.io_bytes.value_or(-1));
    });
    std::vector<ReformatGroup> sorted;
    sorted.reserve(order.size());
    for (const std::size_t group : order) {
      for (const std::size_t row : result_.groups[group].rows) {
        result_.rows[row].group = sorted.size();
      }
      sorted.push_back(std::move(result_.groups[group]));
    }
    result_.groups = std::move(sorted);
  }

  using Made = std::tuple<std::size_t, DType, model::Order, std::uint8_t, ConversionKind>;

  const model::PlanModel& model_;
  DataFlow flow_;
  LayerTimes times_;
  ReformatJudge judge_;
  std::vector<std::size_t> group_of_tensor_;
  std::optional<std::size_t> group_of_weights_, group_of_unknown_;
  std::map<Made, LayerId> made_;
  std::map<std::string_view, std::size_t> type_rows_, origin_rows_;
  ReformatExplanation result_;
};

}  // namespace

std::string_view to_string(ConversionKind kind) {
  switch (kind) {
    case ConversionKind::kQuantize:
      return "quantize";
    case ConversionKind::kDequantize:
      return "dequantize";
    case ConversionKind::kRoundTrip:
      return "round-trip";
    case ConversionKind::kCast:
      return "cast";
    case ConversionKind::kLayout:
      return "layout";
    case ConversionKind::kCopy:
      return "copy";
    case ConversionKind::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(Confidence confidence) {
  switch (confidence) {
    case Confidence::kHigh:
      return "high";
    case Confidence::kMedium:
      return "medium";
    case Confidence::kLow:
      break;
  }
  return "low";
}

ReformatExplanation explain_reformats(const model::PlanModel& model, const Reconciliation& time) {
  return ReformatExplainer(model, time).run();
}

}  // namespace planex::analyze
