#include "ingest/openvino/counter_layers.h"

#include <algorithm>
#include <string>

#include "base/statistics.h"
#include "base/text.h"
#include "ingest/families.h"
#include "ingest/join_report.h"
#include "ingest/layer_join.h"
#include "ingest/openvino/layer_writer.h"

namespace planex::ingest::openvino {
namespace {

using base::format;
using base::StringId;
using model::Direction;
using model::LayerId;
using model::Role;
using model::Severity;

class CounterLayers {
 public:
  CounterLayers(const CounterList& list, const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), layers_(builder.model().layers), list_(list) {}

  void add(bool is_engine) {
    has_own_samples_ = do_requests_differ();
    if (list_.request_count() > 1) {
      builder_.add_metadata("profile", "requests", format("{}", list_.request_count()),
                            artefact_.path);
    }
    if (is_engine) {
      add_layers();
    } else {
      join_layers();
    }
  }

 private:
  std::string_view view(StringId id) { return builder_.strings().view(id); }

  // The requests of one stream share its counters, so several may repeat the same sample.
  bool do_requests_differ() const {
    return std::ranges::any_of(list_.counters(), [](const Counter& counter) {
      return !counter.real_ms.empty() && std::ranges::any_of(counter.real_ms, [&](double time) {
        return time != counter.real_ms.front();
      });
    });
  }

  // Whether the layer now has a time. Less than a microsecond reads 0 and is unknown.
  bool set_times(LayerId layer, const Counter& counter) {
    // An operation that a GPU leaves to the CPU has only the CPU's time.
    const bool is_host_only =
        std::ranges::all_of(counter.real_ms, [](double time) { return time == 0; });
    std::vector<double> samples = is_host_only ? counter.cpu_ms : counter.real_ms;
    std::erase(samples, 0.0);
    if (samples.empty()) return false;
    const std::size_t row = layer.index();
    const auto statistics = base::sample_statistics(std::move(samples));
    layers_.mean_ms.set(row, statistics.mean);
    if (has_own_samples_) {
      layers_.median_ms.set(row, statistics.median);
      layers_.min_ms.set(row, statistics.min);
      layers_.max_ms.set(row, statistics.max);
    }
    if (!is_host_only && !counter.cpu_ms.empty() && counter.cpu_ms != counter.real_ms) {
      base::StringPool& strings = builder_.strings();
      builder_.add_attribute(
          layer, strings.intern("cpu_time_ms"),
          strings.intern(format("{}", base::sample_statistics(counter.cpu_ms).mean)),
          model::ValueType::kNumber);
    }
    return true;
  }

  void add_fused(const Counter& counter) {
    builder_.add_metadata("fused operations", view(counter.name), view(counter.type),
                          artefact_.path);
  }

  // --- Beside a graph ---

  void join_layers() {
    LayerJoin join(builder_.model());
    JoinReport report;
    for (const Counter& counter : list_.counters()) {
      const LayerId layer = join.next(view(counter.name));
      if (layer.is_null()) {
        // Operations that were fused into another layer, and layers that the compiler dropped.
        if (counter.status == CounterStatus::kExecuted) {
          report.missed(view(counter.name));
        } else {
          add_fused(counter);
        }
        continue;
      }
      const Role role = layers_.role[layer.index()];
      // Made at compile time; the time it took is not part of an inference.
      if (role == Role::kConstant) continue;
      const bool has_time = set_times(layer, counter);
      if (!has_time && counter.status == CounterStatus::kOptimizedOut && role == Role::kWork) {
        layers_.role.set(layer.index(), Role::kNoOp);
      }
    }
    const auto expected = std::ranges::count_if(layers_.role.values(),
                                                [](Role role) { return role != Role::kConstant; });
    report.finish(artefact_, join.joined_count(), static_cast<std::size_t>(expected), builder_);
  }

  // --- Alone ---

  void add_layers() {
    for (const Counter& counter : list_.counters()) add_layer(counter);
    model::EngineTable& engine = builder_.model().engine;
    base::StringPool& strings = builder_.strings();
    engine.producer.set(0, strings.intern("openvino"));
    engine.detail.set(0, strings.intern("full"));
    builder_.add_metadata("profile", "method", "running-mean", artefact_.path);
    builder_.add_metadata("profile", "resolution_us", "1", artefact_.path);
    report("no-tensors",
           "counters contain layer names, types, kernels and times; tensors, precisions, weights "
           "and source operations of layers are in the execution graph (benchmark_app "
           "-exec_graph_path)",
           Severity::kWarning);
    if (layers_.row_count() == 0) report("no-layers", "the file has no rows for layers");
    if (untimed_count_ > 0) {
      report("time-below-resolution",
             format("{} no time, such as {}: below OpenVINO's resolution of 1 µs, or not run",
                    base::counted(untimed_count_, "layer has", "layers have"),
                    base::quoted(view(untimed_))),
             Severity::kInfo);
    }
  }

  void report(std::string_view code, std::string message, Severity severity = Severity::kWarning) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path});
  }

  // "undef" is the kernel of an operation that was fused into another layer.
  static bool is_fused(const Counter& counter, std::string_view kernel) {
    return counter.status != CounterStatus::kExecuted && (kernel.empty() || kernel == "undef");
  }

  Role role_of_counter(const Counter& counter) {
    const std::string_view type = view(counter.type);
    const bool moves_data = type != "Reshape" && type != "Reorder";
    if (counter.status == CounterStatus::kOptimizedOut) return Role::kNoOp;
    // Without shapes, a Reorder that took no time is assumed to have had nothing to move.
    if (counter.status == CounterStatus::kNotRun && !moves_data) return Role::kNoOp;
    return role_of(type);
  }

  void add_layer(const Counter& counter) {
    const std::string_view kernel = view(counter.kernel);
    const Role role = role_of_counter(counter);
    const bool is_end = role == Role::kInput || role == Role::kOutput;
    if (!is_end && is_fused(counter, kernel)) return add_fused(counter);
    const LayerId layer = builder_.add_layer(counter.name);
    const std::size_t row = layer.index();
    layers_.role.set(row, role);
    if (const std::string_view type = view(counter.type); !type.empty()) {
      layers_.type.set(row, counter.type);
      layers_.raw_type.set(row, counter.type);
      layers_.family.set(row, family_of(type));
    }
    set_kernel(builder_, row, counter.kernel, role);
    if (!set_times(layer, counter) && role == Role::kWork && untimed_count_++ == 0) {
      untimed_ = counter.name;
    }
    if (is_end) {
      const std::string_view name = view(counter.name);
      builder_.add_binding(name.substr(0, name.find("/sink_port_")),
                           role == Role::kInput ? Direction::kInput : Direction::kOutput);
    }
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  model::LayersTable& layers_;
  const CounterList& list_;
  bool has_own_samples_ = false;
  std::size_t untimed_count_ = 0;
  StringId untimed_;  // the first
};

}  // namespace

void add_counter_layers(const CounterList& list, const Artefact& artefact,
                        model::ModelBuilder& builder) {
  const model::PlanModel& model = builder.model();
  const bool is_engine = model.layers.row_count() == 0 && model.engine.producer.is_null(0);
  CounterLayers(list, artefact, builder).add(is_engine);
}

}  // namespace planex::ingest::openvino
