#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::products_share_input_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "products-share-input",
    .pack = Pack::kGeneric,
    .severity = Severity::kInfo,
    .summary =
        "two or more matrix products with weights of the same shape read the same tensor as "
        "separate layers; for OpenVINO only with few rows, for ONNX Runtime never",
    .rationale =
        "The projections to query, key and value are one product with the weights side by side: it "
        "reads the tensor once, starts one kernel and fills the device better. TensorRT merges "
        "them by itself; OpenVINO's CPU engine does not. A CPU gains from merging if the product "
        "has few rows. With many rows, each product fills the CPU alone, and the Split costs more "
        "than merging saves: the rule is silent there",
    .fix =
        "Merge the projections in the model: one MatMul with concatenated weights and biases, then "
        "a Split",
    .needs = kNeeds,
    .source =
        "The same 2-layer transformer: three products per attention in OpenVINO 2026.4, one in "
        "TensorRT-RTX 1.7.1 (engines of the test data). Merged in OpenVINO 2026.4: 10 to 20 % less "
        "time with 1 and 4 rows, no change with 16, 1 to 6 % more from 64 on; in ONNX Runtime "
        "1.32: no change with 1 to 16 rows, 3 to 18 % more from 64 on",
    .evidence = "the products with their times and shapes",
    .estimate = "not known: it depends on how well each fills the device"};

struct Product {
  LayerId layer;
  PortRow in = 0, out = 0;
};

bool same_shape(const Context& context, const Product& a, const Product& b) {
  return context.type_of(a.out) == context.type_of(b.out) &&
         std::ranges::equal(context.dims_of(a.out), context.dims_of(b.out));
}

std::vector<Product> products_of(const Context& context, TensorId tensor) {
  constexpr std::size_t kMax = 64;  // real tensors have a few
  std::vector<Product> products;
  for (const PortRow port : context.readers(tensor)) {
    const LayerId layer = context.layer_of(port);
    if (!context.works(layer) || context.family(layer) != Family::kGemm) continue;
    if (!reads_whole(context, port)) continue;
    const auto in = context.inputs(layer);
    const auto out = context.outputs(layer);
    // A product of two activations is a different case.
    if (in.size() != 1 || out.size() != 1 || context.dims_of(out[0]).empty()) continue;
    products.push_back({layer, port, out[0]});
    if (products.size() == kMax) break;
  }
  return products;
}

// The number of rows: the product of all dimensions except the last.
double row_count(const Context& context, PortRow port) {
  const auto dims = context.dims_of(port);
  return element_count(dims.first(dims.size() - 1)).value_or(0);
}

// Whether merging can gain, by measurements on CPUs; on GPUs it was not measured.
bool may_gain(const Context& context, const Product& product) {
  constexpr double kFewRows = 8;  // 4 gained, 16 did not
  switch (producer_of(context)) {
    case Producer::kOpenVino: {
      const double rows = row_count(context, product.out);
      return rows > 0 && rows <= kFewRows;
    }
    case Producer::kOnnxRuntime:
      return false;
    default:
      return true;
  }
}

void report(const Context& context, TensorId tensor, std::span<const Product> group,
            FindingSink& sink) {
  std::vector<std::string> names;
  double ms = 0;
  for (const Product& product : group) {
    names.push_back(
        format("{} {}", context.name(product.layer), time_text(context, product.layer)));
    ms += context.time_ms(product.layer).value_or(0);
  }
  FindingDraft draft;
  draft.layer = group.front().layer;
  draft.severity = Severity::kInfo;
  draft.message =
      format("{} matrix products of the same shape read {}", group.size(), context.name(tensor));
  draft.evidence = format("{}; each {} → {}", listed(names, 4), context.port_text(group.front().in),
                          dims_text(context.dims_of(group.front().out)));
  if (ms > 0) draft.evidence += format("; together {}", share_text(context, ms));
  draft.estimate_method = "not known: it depends on how well each fills the device";
  draft.fix =
      "Merge them in the model: one MatMul with the weights side by side, and a Split after it";
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.model().tensors.row_count(); ++row) {
    std::vector<Product> products = products_of(context, TensorId(row));
    if (!products.empty()) sink.looked_at();
    while (products.size() > 1) {
      const Product first = products.front();
      const auto others = std::stable_partition(
          products.begin(), products.end(),
          [&](const Product& product) { return same_shape(context, first, product); });
      const std::vector<Product> group(products.begin(), others);
      products.erase(products.begin(), others);
      if (group.size() > 1 && may_gain(context, first)) {
        report(context, TensorId(row), group, sink);
      }
    }
  }
}

}  // namespace
}  // namespace planex::lint::products_share_input_rule

PLANEX_LINT_RULE(products_share_input)
