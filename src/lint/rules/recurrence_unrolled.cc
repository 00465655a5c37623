#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::recurrence_unrolled_rule {
namespace {

using base::format;
using model::Direction;

constexpr std::array kNeeds = {Need::kDims, Need::kLinks};

// Share of the layer time: less is not worth another form of the model.
constexpr double kMinShare = 0.05;
// Products in a row: ONNX Runtime gains from the first steps on; in OpenVINO four steps took 5 %
// longer as one operation, eight took 5 % less.
constexpr std::uint32_t kMinProducts = 3, kMinProductsOfOpenvino = 6;

constexpr RuleInfo kInfo = {
    .id = "recurrence-unrolled",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "an LSTM or GRU runs in pieces, the same small group of layers for each step, and takes at "
        "least 5 % of the layer time; one finding per engine",
    .rationale =
        "A model that steps through a sequence in a loop is exported with the loop unrolled: per "
        "step two small products, a split and ten activations, multiplications and additions, each "
        "launched as a separate layer. One LSTM or GRU operation multiplies the inputs of all "
        "steps at once, keeps the state in place and computes the gates in one pass",
    .fix =
        "Export it as one LSTM or GRU operation: in PyTorch, nn.LSTM or nn.GRU over the whole "
        "sequence instead of a loop over nn.LSTMCell; in Keras, unroll=False",
    .needs = kNeeds,
    .source =
        "Both forms built and timed. ONNX Runtime 1.32, one sequence: 0.304 → 0.114 ms (LSTM, 32 "
        "steps of 128), 0.292 → 0.100 ms (GRU), 1.13 → 0.55 ms (LSTM of 256). OpenVINO 2026.4: "
        "0.154 → 0.125 and 0.919 → 0.635 ms (LSTM); a GRU took 6 % more, so the rule is silent "
        "there. ONNX operators LSTM and GRU",
    .evidence =
        "the products in a row and their shape, the activations of a step, and the time of "
        "all steps",
    .estimate = "not known: with layers this short, a profiler mostly measures itself"};

// What a cell can contain. Anything else (a normalization, a softmax) is not part of an LSTM or GRU
// operation.
constexpr std::array<std::string_view, 14> kCellOperations = {
    "Sigmoid", "Tanh", "Mul",     "Add",       "Sub",     "Split",  "Slice",
    "Gather",  "Sum",  "Squeeze", "Unsqueeze", "Reshape", "Concat", "Identity"};

enum class Cell : std::uint8_t { kNone, kLstm, kGru };

// A matrix product, and the layers between it and the last products before it.
struct Product {
  LayerId layer;
  std::vector<LayerId> cell = {};     // in order of discovery
  std::vector<LayerId> feeders = {};  // products on the level before
  std::vector<LayerId> older = {};    // layers of earlier levels that it reads: the state before
  std::size_t sigmoid_count = 0, tanh_count = 0;
  // The product before it in the recurrence, by its place in `products`, and how many come before
  // it.
  std::optional<std::size_t> before = {};
  std::uint32_t count_before = 0;
  bool is_before_another = false;
};

struct Recurrence {
  Cell cell = Cell::kNone;
  std::vector<std::size_t> products = {};  // from the last to the first
};

// The only two-dimensional constant that a product reads; null if it reads none, or several.
std::optional<PortRow> weights_of(const Context& context, LayerId layer) {
  const model::PlanModel& model = context.model();
  const model::RowRange ports = model.ports_of(layer);
  std::optional<PortRow> found;
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    const Direction direction = model.ports.direction[port];
    const bool is_weight =
        direction == Direction::kConstant ||
        (direction == Direction::kInput && context.is_constant(context.tensor_of(port)));
    if (!is_weight || without_ones(context.dims_of(port)).size() < 2) continue;
    if (found) return std::nullopt;
    found = port;
  }
  return found;
}

class Finder {
 public:
  explicit Finder(const Context& context) : context_(context) {
    find_levels();
    for (std::size_t row = 0; row < context.layer_count(); ++row) {
      const LayerId layer(row);
      if (!is_product(layer)) continue;
      place_[row] = products_.size();
      products_.push_back(region_of(layer));
    }
    for (std::size_t i = 0; i < products_.size(); ++i) find_step_before(i);
  }

  std::size_t product_count() const { return products_.size(); }
  const Product& product(std::size_t place) const { return products_[place]; }

  // Each from its last product on, the longest first; no layer belongs to two.
  std::vector<Recurrence> recurrences() const {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < products_.size(); ++i) {
      const Product& product = products_[i];
      if (!product.is_before_another && gains(product)) ends.push_back(i);
    }
    std::ranges::stable_sort(ends, std::ranges::greater{},
                             [this](std::size_t at) { return products_[at].count_before; });
    std::vector<Recurrence> all;
    std::vector<bool> is_used(context_.layer_count());
    for (const std::size_t end : ends) {
      Recurrence found{.cell = cell_of(products_[end]), .products = {}};
      bool is_new = true;
      for (std::optional<std::size_t> at = end; at && is_new; at = products_[*at].before) {
        found.products.push_back(*at);
        // Gates that are separate products share the rest of the cell.
        is_new = !products_[*at].before ||
                 std::ranges::none_of(products_[*at].cell,
                                      [&](LayerId layer) { return is_used[layer.index()]; });
      }
      if (!is_new) continue;
      for (const std::size_t at : found.products) {
        for (const LayerId layer : products_[at].cell) is_used[layer.index()] = true;
      }
      all.push_back(std::move(found));
    }
    return all;
  }

 private:
  static constexpr std::size_t kMaxCell = 64;  // layers: real cells have up to thirty

  // Where one operation was measured to be faster.
  bool gains(const Product& product) const {
    const std::uint32_t count = product.count_before + 1;
    switch (producer_of(context_)) {
      case Producer::kOnnxRuntime:
        return count >= kMinProducts;
      case Producer::kOpenVino:
        return count >= kMinProductsOfOpenvino && cell_of(product) == Cell::kLstm;
      default:
        return false;
    }
  }

  bool is_product(LayerId layer) const {
    return context_.works(layer) && context_.family(layer) == Family::kGemm;
  }

  // Per layer, the maximum number of products on a path to it, itself included. Records are in
  // execution order; what is written later (a loop's own state) counts as an input.
  void find_levels() {
    level_.resize(context_.layer_count());
    place_.resize(context_.layer_count());
    for (std::size_t row = 0; row < level_.size(); ++row) {
      const LayerId layer(row);
      std::uint32_t level = 0;
      for (const LayerId writer : writers_of(layer)) {
        level = std::max(level, level_[writer.index()]);
      }
      level_[row] = level + (is_product(layer) ? 1 : 0);
    }
  }

  // Those before it in execution order.
  std::vector<LayerId> writers_of(LayerId layer) const {
    std::vector<LayerId> result;
    for (const PortRow port : context_.inputs(layer)) {
      for (const PortRow writer : graph::first_few(context_.writers(context_.tensor_of(port)))) {
        const LayerId at = context_.layer_of(writer);
        if (at.index() < layer.index()) result.push_back(at);
      }
    }
    return result;
  }

  // False if one of its operations can't be in a cell, or is not known.
  bool count_operations(LayerId layer, Product& product) const {
    const model::PlanModel& model = context_.model();
    if (!context_.works(layer)) return model.layers.role[layer.index()] == model::Role::kNoOp;
    const auto count = [&product](std::string_view type) {
      if (std::ranges::find(kCellOperations, type) == kCellOperations.end()) return false;
      if (type == "Sigmoid") ++product.sigmoid_count;
      if (type == "Tanh") ++product.tanh_count;
      return true;
    };
    const model::RowRange sources = model.sources_of(layer);
    if (sources.count == 0) return count(context_.type(layer));
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      if (!count(model.text(model.sources.op_type[row]))) return false;
    }
    return true;
  }

  // Layers on the level before the product's, up to the products of that level. If an activation
  // depends on a later product than the state does (an output that is fed back as input), that
  // product, not the step before, is on this level.
  Product region_of(LayerId layer) const {
    Product product{.layer = layer};
    const std::uint32_t level = level_[layer.index()] - 1;
    std::vector<LayerId> steps = {layer};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (const LayerId writer : writers_of(steps[i])) {
        if (level_[writer.index()] < level) {
          product.older.push_back(writer);
        } else if (is_product(writer)) {
          product.feeders.push_back(writer);
        } else if (std::ranges::find(steps, writer) == steps.end()) {
          if (steps.size() > kMaxCell || !count_operations(writer, product)) return {layer};
          steps.push_back(writer);
        }
      }
    }
    product.cell.assign(steps.begin() + 1, steps.end());
    return product;
  }

  bool are_alike(const Product& a, const Product& b) const {
    const auto one = weights_of(context_, a.layer), other = weights_of(context_, b.layer);
    const auto out = context_.outputs(a.layer), other_out = context_.outputs(b.layer);
    if (!one || !other || out.size() != 1 || other_out.size() != 1) return false;
    if (!std::ranges::equal(context_.dims_of(*one), context_.dims_of(*other)) ||
        !std::ranges::equal(context_.dims_of(out[0]), context_.dims_of(other_out[0]))) {
      return false;
    }
    // OpenVINO stores the weights once per product, under different names.
    return producer_of(context_) != Producer::kOnnxRuntime ||
           context_.tensor_of(*one) == context_.tensor_of(*other);
  }

  static Cell cell_of(const Product& product) {
    if (product.tanh_count == 2 && product.sigmoid_count >= 1 && product.sigmoid_count <= 3) {
      return Cell::kLstm;
    }
    return product.tanh_count == 1 && product.sigmoid_count == 2 ? Cell::kGru : Cell::kNone;
  }

  // The previous state bypasses the product: the cell reads what the step before it wrote. A stack
  // of layers that looks similar (gated layers, one step of several LSTMs) has no such path, or has
  // other weights.
  static bool passes_state(const Product& before, const Product& product) {
    return std::ranges::any_of(product.older, [&before](LayerId layer) {
      return std::ranges::find(before.cell, layer) != before.cell.end();
    });
  }

  void find_step_before(std::size_t place) {
    Product& product = products_[place];
    const Cell cell = cell_of(product);
    if (cell == Cell::kNone) return;
    for (const LayerId feeder : product.feeders) {
      const std::size_t at = place_[feeder.index()];
      Product& before = products_[at];
      // The first of a chain has nothing before its state, which may consist of constants.
      const bool is_alike = are_alike(before, product) && passes_state(before, product) &&
                            (cell_of(before) == cell || !before.before);
      if (!is_alike || (product.before && before.count_before < product.count_before)) continue;
      product.before = at;
      product.count_before = before.count_before + 1;
    }
    if (product.before) products_[*product.before].is_before_another = true;
  }

  const Context& context_;
  std::vector<std::uint32_t> level_;
  std::vector<std::size_t> place_;  // in products_, by layer
  std::vector<Product> products_;   // in the order of execution
};

// Of all their layers, each counted once.
double time_of(const Context& context, const Finder& finder, std::span<const Recurrence> all) {
  std::vector<bool> is_counted(context.layer_count());
  double ms = 0;
  const auto count = [&](LayerId layer) {
    if (is_counted[layer.index()]) return;
    is_counted[layer.index()] = true;
    ms += context.time_ms(layer).value_or(0);
  };
  for (const Recurrence& recurrence : all) {
    for (const std::size_t place : recurrence.products) {
      const Product& product = finder.product(place);
      count(product.layer);
      if (!product.before) continue;
      std::ranges::for_each(product.cell, count);
      std::ranges::for_each(product.feeders, count);
    }
  }
  return ms;
}

std::string steps_text(const Context& context, const Finder& finder, const Recurrence& recurrence) {
  const Product& last = finder.product(recurrence.products.front());
  const PortRow weights = weights_of(context, last.layer).value_or(0);
  return format(
      "{} products in a row with weights {}, each of the state that the previous one led to, up to "
      "{}; between two of them {} with {} and {}",
      recurrence.products.size(), dims_text(context.dims_of(weights)), context.name(last.layer),
      base::counted(last.cell.size(), "layer"), base::counted(last.sigmoid_count, "Sigmoid"),
      base::counted(last.tanh_count, "Tanh"));
}

std::string fix_of(std::span<const Recurrence> all) {
  const bool has_lstm = std::ranges::any_of(
      all, [](const Recurrence& recurrence) { return recurrence.cell == Cell::kLstm; });
  const bool has_gru = std::ranges::any_of(
      all, [](const Recurrence& recurrence) { return recurrence.cell == Cell::kGru; });
  const std::string_view words = has_lstm && has_gru ? "LSTM or GRU" : has_lstm ? "LSTM" : "GRU";
  const std::string_view cell = has_lstm ? "nn.LSTM" : "nn.GRU";
  return format(
      "Export {} as one {} operation over the whole sequence: in PyTorch, {} instead of a loop "
      "over {}Cell or over hand-written products; in Keras, unroll=False; the results stay the "
      "same",
      all.size() == 1 ? "it" : "each", words, cell, cell);
}

void report(const Context& context, const Finder& finder, std::span<const Recurrence> all,
            double ms, FindingSink& sink) {
  FindingDraft draft;
  draft.layer = finder.product(all.front().products.back()).layer;
  draft.message =
      all.size() == 1
          ? format("the steps of {} run one after another as separate layers",
                   all.front().cell == Cell::kLstm ? "an LSTM" : "a GRU")
          : format("the steps of {} recurrences run one after another as separate layers",
                   all.size());
  std::vector<std::string> texts;
  for (const Recurrence& recurrence : all) {
    texts.push_back(steps_text(context, finder, recurrence));
    for (const std::size_t place : recurrence.products) {
      const Product& product = finder.product(place);
      draft.also_about.push_back(product.layer);
      if (!product.before) continue;
      draft.also_about.insert(draft.also_about.end(), product.cell.begin(), product.cell.end());
    }
  }
  draft.evidence = listed(texts, 2);
  if (ms > 0) draft.evidence += format("; together {}", share_text(context, ms));
  draft.estimate_method =
      "not known: with layers this short, a profiler mostly measures itself; compare the inference "
      "times of both forms";
  draft.fix = fix_of(all);
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  const Finder finder(context);
  for (std::size_t i = 0; i < finder.product_count(); ++i) sink.looked_at();
  const std::vector<Recurrence> all = finder.recurrences();
  const double ms = time_of(context, finder, all);
  if (all.empty() || ms < kMinShare * context.total_ms().value_or(0)) return;
  report(context, finder, all, ms, sink);
}

}  // namespace
}  // namespace planex::lint::recurrence_unrolled_rule

PLANEX_LINT_RULE(recurrence_unrolled)
