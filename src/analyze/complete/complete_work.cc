#include "analyze/complete/complete_work.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/work/branches.h"
#include "analyze/work/layer_operations.h"
#include "analyze/work/remark.h"
#include "analyze/work/work.h"
#include "base/checked.h"
#include "base/parallel.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Family;
using model::LayerId;
using model::PlanModel;

using KnownCount = std::optional<std::int64_t>;

class WorkCompleter {
 public:
  explicit WorkCompleter(PlanModel& model)
      : model_(model),
        layers_(model.layers),
        parameters_(model.strings.intern("parameters")),
        shapes_(model.strings.intern("shapes")),
        operations_(model.strings.intern("operations")),
        producer_(model.strings.intern("producer")),
        reader_(model) {}

  void run() {
    const bool by_operations = model_.operations.row_count() > 0 && model_.sources.row_count() > 0;
    if (by_operations) shape_macs_.resize(layers_.row_count());
    // One layer after the other; what is not in a column was fetched from the file, which takes
    // longer than computing with it.
    constexpr std::size_t kManyLayers = 10'000;
    const std::size_t count = layers_.row_count();
    const std::size_t middle = count < kManyLayers ? count : count / 2;
    const auto complete = [&](std::size_t first, std::size_t end) {
      complete_layers(first, end, by_operations);
    };
    if (middle < count) {
      base::run_both([&] { complete(0, middle); }, [&] { complete(middle, count); });
    } else {
      complete(0, count);
    }
    if (by_operations) use_operations();
    forget_turns();
    report_branches();
    report_unknown();
    for (std::size_t row = 0; row < layers_.row_count(); ++row) {
      complete_intensity(row);
      // Most were set above: reading the parameters again would fetch half of the file again.
      if (!layers_.macs.is_null(row) && layers_.gemm_m.is_null(row)) complete_gemm(row);
    }
  }

 private:
  void complete_layers(std::size_t first, std::size_t end, bool by_operations) {
    for (std::size_t row = first; row < end; ++row) {
      const LayerId layer(row);
      if (is_filled(row)) {
        if (layers_.work_evidence.is_null(row)) layers_.work_evidence.set(row, producer_);
        set_macs(row, layers_.macs.get(row), layers_.work_evidence[row]);
        continue;
      }
      if (const auto gemm = reader_.implicit_gemm(layer)) {
        set_macs(row, macs_of(*gemm), parameters_);
        if (!layers_.macs.is_null(row)) set_gemm(row, *gemm);
      } else {
        set_macs(row, reader_.macs(layer), parameters_);
      }
      if (is_filled(row)) continue;
      const KnownCount macs = reader_.macs_of_shapes(layer);
      if (by_operations) {
        shape_macs_[row] = macs;
      } else {
        set_macs(row, macs, shapes_);
      }
      if (is_filled(row) || macs) continue;
      if (const auto pointwise = reader_.pointwise_work(layer)) {
        set_flops(row, pointwise->flops, pointwise->by_parameters ? parameters_ : shapes_);
      }
    }
  }

  void complete_gemm(std::size_t row) {
    const auto gemm = reader_.implicit_gemm(LayerId(row));
    if (const auto found = gemm ? gemm : reader_.gemm_of_macs(LayerId(row))) set_gemm(row, *found);
  }

  void set_gemm(std::size_t row, const ImplicitGemm& gemm) {
    layers_.gemm_m.set(row, gemm.m);
    layers_.gemm_n.set(row, gemm.n);
    layers_.gemm_k.set(row, gemm.k);
  }

  bool is_filled(std::size_t row) const {
    return !layers_.macs.is_null(row) || !layers_.flops.is_null(row);
  }

  void set_macs(std::size_t row, KnownCount macs, base::StringId evidence) {
    if (!macs) return;
    layers_.macs.set(row, macs);
    if (layers_.flops.is_null(row)) layers_.flops.set(row, (CheckedInt(*macs) * 2).value());
    layers_.work_evidence.set(row, evidence);
  }

  void set_flops(std::size_t row, KnownCount flops, base::StringId evidence) {
    if (!flops) return;
    layers_.flops.set(row, flops);
    layers_.work_evidence.set(row, evidence);
  }

  Claim claim_of(std::size_t row) const {
    if (layers_.role[row] != model::Role::kWork) return Claim::kNone;
    if (!layers_.macs.is_null(row)) return Claim::kMeasured;
    switch (layers_.family[row]) {
      case Family::kConvolution:
        return Claim::kMust;
      case Family::kGemm:
        return shape_macs_[row] ? Claim::kMeasured : Claim::kMust;
      case Family::kOpaque:
      case Family::kPlugin:
      case Family::kOther: {
        if (shape_macs_[row]) return Claim::kMeasured;
        const NamedProduct named = named_product(model_.text(layers_.name[row]));
        return named == NamedProduct::kNone ? Claim::kNone : Claim::kMay;
      }
      default:
        return Claim::kNone;
    }
  }

  void use_operations() {
    std::vector<Claim> claims(layers_.row_count());
    for (std::size_t row = 0; row < claims.size(); ++row) claims[row] = claim_of(row);
    const LayerOperations operations(model_, claims);
    for (std::size_t row = 0; row < layers_.row_count(); ++row) {
      if (is_filled(row)) continue;
      const LayerId layer(row);
      const KnownCount of_operations = operations.macs(layer), of_shapes = shape_macs_[row];
      // The model's own weights: what a compiler pads or repeats is not work that the model asks
      // for.
      const bool is_one = layers_.family[row] == Family::kConvolution || is_the_operation(row);
      const bool prefer_operations = is_one && !operations.is_contested(layer);
      if (of_operations && (prefer_operations || !of_shapes)) {
        set_macs(row, of_operations, operations_);
      } else {
        set_macs(row, of_shapes, shapes_);
      }
      if (!is_filled(row) && (claims[row] >= Claim::kMay || is_generated(row))) {
        set_flops(row, operations.pointwise_flops(layer), operations_);
      }
    }
  }

  // ONNX Runtime's layers are the operations of the optimized model.
  bool is_the_operation(std::size_t row) const {
    const model::RowRange sources = model_.sources_of(LayerId(row));
    return sources.count == 1 && !layers_.raw_type.is_null(row) &&
           layers_.raw_type[row] == model_.sources.op_type[sources.first];
  }

  // Sums of layers count one branch of each conditional.
  void report_branches() {
    const Branches::Range flops = Branches(model_).total(layers_.flops);
    if (!flops.least || !flops.most || *flops.least == *flops.most) return;
    remark_once(
        model_, "work-in-branches",
        base::format("only one branch of a conditional runs in an inference, and the files do not "
                     "record which: the work of the engine is {} to {} flops. Totals count the "
                     "larger branch and are upper limits; a profile of layers shows which one ran",
                     *flops.least, *flops.most));
  }

  // Layers in a loop run once per iteration, and no file records the number of iterations, so the
  // work of one inference is not known.
  void forget_turns() {
    const base::StringId loop = model_.strings.find("loop");
    if (loop.is_null()) return;
    // Blocks come after those that enclose them.
    std::vector<bool> turns(model_.blocks.row_count(), false);
    for (std::size_t row = 0; row < turns.size(); ++row) {
      const model::BlockId parent = model_.blocks.parent_id[row];
      const bool is_inside = !parent.is_null() && parent.index() < row && turns[parent.index()];
      turns[row] = is_inside || model_.blocks.kind[row] == loop;
    }
    std::size_t count = 0, example = 0;
    for (std::size_t row = 0; row < layers_.row_count(); ++row) {
      const model::BlockId block = layers_.block_id[row];
      if (block.is_null() || !turns[block.index()] || !is_filled(row)) continue;
      if (layers_.work_evidence[row] == producer_) continue;
      layers_.macs.set(row, std::nullopt);
      layers_.flops.set(row, std::nullopt);
      layers_.work_evidence.set(row, base::StringId());
      if (count++ == 0) example = row;
    }
    if (count == 0) return;
    remark_once(
        model_, "work-in-loops",
        base::format("macs and flops of {}, for instance {}, are not known: they are computed once "
                     "per loop iteration, and the files do not record the number of iterations",
                     base::counted(count, "layer"), name_of(example)));
  }

  // Not for dynamic dims, which have their own diagnostic.
  void report_unknown() {
    std::size_t count = 0, example = 0;
    for (std::size_t row = 0; row < layers_.row_count(); ++row) {
      const LayerId layer(row);
      if (is_filled(row) || !model_.does_work(layer) || !reader_.hides_products(layer)) continue;
      if (layers_.io_bytes.is_null(row)) continue;
      if (count++ == 0) example = row;
    }
    if (count == 0) return;
    remark_once(model_, "work-unknown",
                base::format(
                    "macs and flops of {}, for instance {}, are not known: these are attention and "
                    "recurrent networks whose inputs do not show everything that they multiply",
                    base::counted(count, "layer"), name_of(example)));
  }

  std::string name_of(std::size_t row) const {
    return base::quoted(model_.text(layers_.name[row]));
  }

  // A kernel that Myelin made from pointwise operations only.
  bool is_generated(std::size_t row) const {
    return layers_.role[row] == model::Role::kWork &&
           named_product(model_.text(layers_.name[row])) == NamedProduct::kNone;
  }

  void complete_intensity(std::size_t row) {
    const KnownCount flops = layers_.flops.get(row), bytes = layers_.footprint_bytes.get(row);
    if (flops && bytes && *bytes > 0) {
      layers_.arithmetic_intensity.set(row,
                                       static_cast<double>(*flops) / static_cast<double>(*bytes));
    }
  }

  PlanModel& model_;
  model::LayersTable& layers_;
  base::StringId parameters_, shapes_, operations_, producer_;
  WorkReader reader_;
  std::vector<KnownCount> shape_macs_;  // by layer; empty where there are no operations to prefer
};

}  // namespace

void complete_work(PlanModel& model) { WorkCompleter(model).run(); }

}  // namespace planex::analyze
