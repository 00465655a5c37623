#include "ingest/openvino/benchmark_facts.h"

#include <cmath>
#include <string>

#include "base/text.h"
#include "ingest/openvino/numbers.h"

namespace planex::ingest::openvino {
namespace {

using base::format;
using model::Severity;

constexpr std::string_view kMedianKey = "latency_median_ms";

class FactWriter {
 public:
  FactWriter(const BenchmarkFacts& facts, std::string_view section, const Artefact& artefact,
             model::ModelBuilder& builder)
      : facts_(facts), section_(section), artefact_(artefact), builder_(builder) {}

  void write() {
    if (section_ == kLogSection && has_report()) {
      check_report();
      return;
    }
    add(kMedianKey, facts_.median_ms);
    add("latency_mean_ms", facts_.mean_ms);
    add("latency_min_ms", facts_.min_ms);
    add("latency_max_ms", facts_.max_ms);
    if (facts_.percentile) {
      add(format("latency_p{}_ms", *facts_.percentile), facts_.percentile_ms);
    }
    add("first_inference_ms", facts_.first_ms);
    if (facts_.iterations) add_text("iterations", format("{}", *facts_.iterations));
    if (facts_.iterations && facts_.duration_ms && *facts_.duration_ms > 0) {
      add("throughput_per_s",
          static_cast<double>(*facts_.iterations) * 1000.0 / *facts_.duration_ms);
    }
    if (facts_.counters_on) add_text("layers_timed", *facts_.counters_on ? "true" : "false");
    report_first_inference();
    report_requests();
  }

 private:
  void add(std::string_view key, std::optional<double> value) {
    if (value) add_text(key, format("{}", *value));
  }
  void add_text(std::string_view key, std::string_view value) {
    builder_.add_metadata(section_, key, value, artefact_.path);
  }

  void report(std::string_view code, std::string message, Severity severity) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path});
  }

  std::optional<std::string_view> report_value(std::string_view key) const {
    const model::PlanModel& model = builder_.model();
    for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
      if (model.text(model.metadata.section[row]) != kReportSection) continue;
      if (key.empty() || model.text(model.metadata.key[row]) == key) {
        return model.text(model.metadata.value[row]);
      }
    }
    return std::nullopt;
  }
  bool has_report() const { return report_value({}).has_value(); }

  // Both print two decimals of one number.
  void check_report() {
    const auto text = report_value(kMedianKey);
    const auto median = text ? parse_number(*text) : std::nullopt;
    constexpr double kRounding = 0.011;
    if (!median || !facts_.median_ms || std::abs(*median - *facts_.median_ms) < kRounding) return;
    report("other-run",
           format("the median latency is {} ms here and {} ms in the report: they come from "
                  "different runs; using the report's",
                  *facts_.median_ms, *median),
           Severity::kWarning);
  }

  bool are_layers_timed() const {
    const model::LayersTable& layers = builder_.model().layers;
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      if (!layers.mean_ms.is_null(row)) return true;
    }
    return false;
  }

  // Counters can't be reset, so the layers' means include the first inference, which the latencies
  // don't.
  void report_first_inference() {
    if (!facts_.first_ms || !facts_.mean_ms || !facts_.iterations || *facts_.iterations <= 0 ||
        *facts_.mean_ms <= 0 || !are_layers_timed()) {
      return;
    }
    const double count = static_cast<double>(*facts_.iterations);
    const double all = (*facts_.mean_ms * count + *facts_.first_ms) / (count + 1);
    const double excess = all / *facts_.mean_ms - 1;
    constexpr double kWorthTelling = 0.01;
    if (excess < kWorthTelling) return;
    report("first-inference-counted",
           format("layer times are means that include the first inference ({} ms), but latencies "
                  "exclude it: with it their mean would be {:.2f} ms, {:.1f} % more",
                  *facts_.first_ms, all, excess * 100),
           Severity::kInfo);
  }

  void report_requests() {
    if (!facts_.requests || *facts_.requests <= 1) return;
    report("parallel-requests",
           format("{} requests were in flight at once: a latency includes waiting for the others, "
                  "so the sum of layer times can't be compared with it",
                  *facts_.requests),
           Severity::kInfo);
  }

  const BenchmarkFacts& facts_;
  std::string_view section_;
  const Artefact& artefact_;
  model::ModelBuilder& builder_;
};

}  // namespace

void add_benchmark_facts(const BenchmarkFacts& facts, std::string_view section,
                         const Artefact& artefact, model::ModelBuilder& builder) {
  FactWriter(facts, section, artefact, builder).write();
}

}  // namespace planex::ingest::openvino
