#include "drive/openvino_driver/macs.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/checked.h"

namespace planex::drive {
namespace {

using Dims = std::vector<std::int64_t>;

std::optional<std::int64_t> sum_of(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  if (!a || !b) return std::nullopt;
  return (base::CheckedInt(*a) + base::CheckedInt(*b)).value();
}

bool is_product(const PlanLayer& layer) {
  const auto kind = operation_kind(layer.layer_type);
  return kind == OperationKind::kConvolution || kind == OperationKind::kDeconvolution ||
         kind == OperationKind::kMatMul;
}

// Layers that can contain matrix products.
bool is_block(const PlanLayer& layer) {
  static constexpr std::array<std::string_view, 5> kBlocks = {
      "Subgraph", "MHA", "ScaledDotProductAttention", "QKVProjection", "LLMMLP"};
  return layer.role == "work" && std::ranges::find(kBlocks, layer.layer_type) != kBlocks.end();
}

bool has_source(const PlanLayer& layer, SourceIndex source) {
  return std::ranges::find(layer.sources.references, source, &SourceReference::index) !=
         layer.sources.references.end();
}

// From the layer's own shapes. Nothing if they are unknown.
std::optional<std::int64_t> own_macs(const PlanLayer& layer) {
  if (layer.inputs.size() < 2 || layer.outputs.empty()) return std::nullopt;
  const OptionalDims& data = layer.inputs[0].dims;
  const OptionalDims& out = layer.outputs[0].dims;
  if (!data || !out || data->empty() || out->empty()) return std::nullopt;
  const OptionalDims& weights = layer.inputs[1].dims;
  const bool is_transposed = layer.layer_type == "Deconvolution";
  if (layer.layer_type == "Convolution" || is_transposed) {
    if (!weights || !layer.inputs[1].is_constant) return std::nullopt;
    // Grouped: [G, O/G, I/G, k...] instead of [O, I, k...].
    const std::size_t first = weights->size() == out->size() + 1 ? 2 : 1;
    if (weights->size() <= first) return std::nullopt;
    return checked_product(product(is_transposed ? *data : *out), product_from(*weights, first));
  }
  if (layer.layer_type == "FullyConnected") {
    return checked_product(product(*out), product({data->back()}));
  }
  if (layer.layer_type == "MatMul" && data->size() >= 2 && out->size() >= 2) {
    // The left matrix is M by K or, transposed, K by M; M is the result's.
    const std::int64_t rows = (*out)[out->size() - 2];
    const auto elements = product_from(*data, data->size() - 2);
    if (rows <= 0 || !elements) return std::nullopt;
    return checked_product(product(*out), *elements / rows);
  }
  return std::nullopt;
}

class Counter {
 public:
  Counter(std::vector<PlanLayer>& layers, const SourceTable& sources,
          const OperationTable& operations)
      : layers_(layers), sources_(sources) {
    for (const auto& [source, operation] : operations) {
      if (operation.macs == 0) continue;  // Poolings and the like.
      const auto [found, is_new] =
          products_.emplace(source, Product{operation.macs, {}, nullptr, false});
      if (!is_new) found->second.macs = sum_of(found->second.macs, operation.macs);
      if (operation.kind == OperationKind::kMatMul) found->second.readers = operation.readers;
    }
  }

  void run() {
    for (PlanLayer& layer : layers_) {
      if (layer.role == "work" && is_product(layer)) count_product(layer);
    }
    for (auto& [source, product] : products_) {
      if (product.owner == nullptr && !product.is_shared) find_block(source, product);
    }
    for (PlanLayer& layer : layers_) {
      if (is_block(layer)) count_block(layer);
    }
    drop_spread_sources();
  }

 private:
  struct Product {
    std::optional<std::int64_t> macs;
    std::vector<SourceIndex> readers;
    PlanLayer* owner = nullptr;
    bool is_shared = false;  // Several layers have an equal claim to it.
  };

  std::vector<SourceIndex> products_in(const PlanLayer& layer) const {
    std::vector<SourceIndex> found;
    for (const SourceReference& source : layer.sources.references) {
      if (products_.contains(source.index)) found.push_back(source.index);
    }
    return found;
  }

  void claim(PlanLayer& layer, SourceIndex source) {
    Product& product = products_.at(source);
    product.is_shared = product.is_shared || product.owner != nullptr;
    product.owner = product.is_shared ? nullptr : &layer;
  }

  void count_product(PlanLayer& layer) {
    const auto inside = products_in(layer);
    layer.macs = own_macs(layer);
    if (!layer.macs && inside.size() == 1) layer.macs = products_.at(inside[0]).macs;
    if (!layer.macs) layer.macs_note = "the shapes are not known";
    if (inside.empty()) has_unnamed_product_ = true;
    // The sum of all if it matches (projections merged into one); otherwise the first one as large
    // as the layer, since the other tags have spread here.
    std::optional<std::int64_t> sum = 0;
    for (const SourceIndex source : inside) sum = sum_of(sum, products_.at(source).macs);
    if (inside.size() < 2 || sum == layer.macs) {
      for (const SourceIndex source : inside) claim(layer, source);
      return;
    }
    const auto own = std::ranges::find_if(inside, [&](SourceIndex source) {
      return layer.macs && products_.at(source).macs == layer.macs;
    });
    if (own != inside.end()) claim(layer, *own);
  }

  PlanLayer* only_block_with(SourceIndex source) {
    PlanLayer* found = nullptr;
    for (PlanLayer& layer : layers_) {
      if (!is_block(layer) || !has_source(layer, source)) continue;
      if (found != nullptr) return nullptr;
      found = &layer;
    }
    return found;
  }

  // Snippets name a fused product after the scale that follows it, so if no block contains the
  // product itself, the block that contains its readers is taken.
  void find_block(SourceIndex source, Product& product) {
    product.owner = only_block_with(source);
    // A product layer that lost its tags could be the one; then the product can't be assigned.
    if (product.owner != nullptr || has_unnamed_product_) return;
    for (const SourceIndex reader : product.readers) {
      if (products_.contains(reader)) return;
      product.owner = only_block_with(reader);
      if (product.owner == nullptr) continue;
      auto& references = product.owner->sources.references;
      const auto place = std::ranges::lower_bound(references, source, {}, &SourceReference::index);
      references.insert(place, {source, SourceEvidence::kName});
      return;
    }
  }

  void count_block(PlanLayer& layer) {
    std::optional<std::int64_t> sum = 0;
    bool has_any = false;
    for (const SourceIndex source : products_in(layer)) {
      const Product& product = products_.at(source);
      if (product.owner != nullptr && product.owner != &layer) continue;
      has_any = true;
      if (product.owner == nullptr) {
        layer.macs_note = sources_.operations[source].name + " is spread over several layers";
        sum = std::nullopt;
      } else {
        if (!product.macs) {
          layer.macs_note = "the shapes of " + sources_.operations[source].name + " are not known";
        }
        sum = sum_of(sum, product.macs);
      }
    }
    if (has_any) layer.macs = sum;
  }

  void drop_spread_sources() {
    for (PlanLayer& layer : layers_) {
      auto kept = layer.sources.references;
      std::erase_if(kept, [&](const SourceReference& reference) {
        const auto found = products_.find(reference.index);
        return found != products_.end() && found->second.owner != nullptr &&
               found->second.owner != &layer;
      });
      // A source that is merely near is better than none.
      if (!kept.empty()) layer.sources.references = std::move(kept);
    }
  }

  std::vector<PlanLayer>& layers_;
  const SourceTable& sources_;
  std::map<SourceIndex, Product> products_;
  bool has_unnamed_product_ = false;
};

}  // namespace

std::optional<OperationKind> operation_kind(std::string_view layer_type) {
  if (layer_type == "Convolution") return OperationKind::kConvolution;
  if (layer_type == "Deconvolution") return OperationKind::kDeconvolution;
  if (layer_type == "FullyConnected" || layer_type == "MatMul") return OperationKind::kMatMul;
  if (layer_type == "Pooling") return OperationKind::kPooling;
  if (layer_type == "FakeQuantize") return OperationKind::kFakeQuantize;
  return std::nullopt;
}

void count_macs(std::vector<PlanLayer>& layers, const SourceTable& sources,
                const OperationTable& operations) {
  Counter(layers, sources, operations).run();
}

}  // namespace planex::drive
