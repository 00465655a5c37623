#include "render/text/summary_text.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "render/text/actions_text.h"
#include "render/text/grid.h"
#include "render/words/action_sentences.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "render/words/stream_sentences.h"
#include "render/words/tactic_sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::Group;
using analyze::Summary;
using base::counted;
using base::format;
using model::PlanModel;

class SummaryScreen {
 public:
  SummaryScreen(const PlanModel& model, const Summary& summary, std::string_view plan,
                const TableStyle& style)
      : model_(model),
        summary_(summary),
        plan_(printable(plan)),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))),
        color_(style.color) {}

  std::string render() {
    head();
    lede_line();
    to_do();
    profiles();
    time_block();
    concurrency();
    streams();
    host_times();
    groups();
    slowest();
    dla();
    providers();
    model_plan();
    accuracy();
    missing();
    totals();
    return std::move(text_);
  }

 private:
  void line(std::string_view content) {
    text_ += content;
    text_ += '\n';
  }
  void lines(const std::vector<std::string>& content) {
    for (const std::string& one : content) line(one);
  }
  void blank() { text_ += '\n'; }

  bool names_only() const { return model_.text(model_.engine.detail[0]) == "names-only"; }
  bool failed() const { return model_.text(model_.engine.detail[0]) == "failed"; }
  // There are layers, and more is known than their names.
  bool has_structure() const { return !names_only() && !failed() && summary_.layer_count > 0; }

  std::string bindings(const std::vector<analyze::Binding>& list) const {
    constexpr std::size_t kMax = 2;
    std::string result;
    for (std::size_t i = 0; i < std::min(kMax, list.size()); ++i) {
      if (i > 0) result += ", ";
      result += elide_middle(printable(list[i].name), 40);
      const bool typed = list[i].dtype != model::DType::kNull;
      if (!list[i].dims_known && !typed) continue;
      result += format(" {} {}", list[i].dims_known ? dims_text(list[i].dims) : "?",
                       typed ? to_string(list[i].dtype) : "?");
    }
    if (list.size() > kMax) result += format(", {} more", list.size() - kMax);
    return result;
  }

  void head() {
    Grid grid({{Alignment::kLeft, true}, {}, {}, {}});
    std::vector<GridCell> first = {{printable(model_.text(model_.engine.name[0])), Ink::kStrong},
                                   {printable(producer_text(model_))},
                                   {printable(model_.text(model_.engine.device[0]))}};
    grid.add_row(std::move(first));
    lines(grid.lines(width_, 0, color_));
    const bool is_bare = failed() || model_.text(model_.engine.detail[0]) == "no-layers";
    if (is_bare && summary_.record_count == 0 && summary_.inputs.empty()) {
      if (const std::string rate = rate_words(); !rate.empty()) line(rate);
      return;
    }
    if (model_.text(model_.engine.detail[0]) == "log") {
      text_ += wrapped_hanging(
          "layers from the short lines of a log: without parameters, weights and source "
          "operations; a block of the compiler is one layer",
          width_, kScreenIndent, kScreenIndent);
    }
    std::string flow = bindings(summary_.inputs);
    if (!summary_.outputs.empty()) flow += " → " + bindings(summary_.outputs);
    if (!summary_.bindings.empty()) {
      flow += format("{}bindings {}", flow.empty() ? "" : "; ", bindings(summary_.bindings));
    }
    std::string counts = counted(static_cast<std::size_t>(summary_.layer_count), "layer");
    if (summary_.record_count != summary_.layer_count) {
      counts += format(" ({} records)", summary_.record_count);
    }
    if (const std::string rate = rate_words(); !rate.empty()) counts += "   " + rate;
    if (flow.empty()) {
      line(counts);
    } else if (width_ > 0 && visible_width(flow) > width_) {
      text_ += wrapped_hanging(flow, width_, kScreenIndent, kScreenIndent);
      line(counts);
    } else {
      lines(side_by_side({flow}, {counts}, 3, width_));
    }
  }

  std::string rate_words() const {
    const auto rate = summary_.time.throughput_per_s;
    if (!rate) return {};
    std::string words = format("{} inferences/s", throughput_text(*rate));
    const auto batch = model_.engine.batch_size.get(0);
    if (batch && *batch > 1) words += format(" × batch {}", *batch);
    return words;
  }

  void lede_line() {
    const auto sentence = conclusion(model_, summary_);
    if (!sentence) return;
    blank();
    const std::string head_part = painted(printable(sentence->headline), Ink::kStrong, color_);
    text_ += wrapped(head_part + " " + printable(sentence->text), width_, 0);
  }

  // What to do first; planex lint has all of it.
  void to_do() {
    const std::string rows =
        actions_text(summary_.actions, "what to do first", summary_.actions.size(), width_, color_);
    if (rows.empty()) return;
    blank();
    text_ += rows;
    const auto rest = static_cast<std::size_t>(summary_.action_count) - summary_.actions.size();
    if (rest == 0) return;
    std::string sum;
    if (summary_.saving.high_ms) {
      sum = format("; all together {}", saving_words(summary_.saving));
    }
    text_ += wrapped(format("{} more in planex lint{}", rest, sum), width_, kScreenIndent);
  }

  void time_block() {
    const analyze::Reconciliation& time = summary_.time;
    if (time.basis == analyze::TimeBasis::kNone && !time.end_to_end) return;
    blank();
    Grid grid({{}, {Alignment::kRight}, {}, {.wraps = true}});
    if (const auto& e = time.end_to_end; e && e->median_ms) {
      std::string note =
          e->source == "times"
              ? format("median {} of {}", e->field == "latency" ? "latency" : "compute time",
                       grouped(e->count))
          : e->field == "latency" ? format("median latency of {}, from the benchmark's {}",
                                           grouped(e->count), e->source)
                                  : "median, from the performance summary";
      if (e->min_ms) note += format("; min {}", ms_text(*e->min_ms));
      if (e->p99_ms) note += format(", p99 {}", ms_text(*e->p99_ms));
      grid.add_row({{"end to end"}, {ms_text(*e->median_ms), Ink::kStrong}, {"ms"}, {note}});
      if (summary_.steady_state) {
        grid.add_row({{}, {}, {}, {steadiness_text(*summary_.steady_state)}});
      }
    } else {
      grid.add_row(
          {{"end to end"}, {"–"}, {}, {"not known: no times file, and no summary in a log"}});
    }
    const bool medians = time.basis == analyze::TimeBasis::kMedian;
    if (const auto sum = time.layers_ms()) {
      std::string note = medians ? "sum of medians" : "sum of means: the profile has no medians";
      if (time.end_to_end && time.end_to_end->median_ms && *time.end_to_end->median_ms > 0) {
        note = format("{:.0f} % of end to end", *sum / *time.end_to_end->median_ms * 100);
        if (!medians) note += " (means: the profile has no medians)";
        if (time.profiled_median_ms) {
          // The driver timed the profiled inferences too, so nothing has to be estimated.
          note += format("; the profiled inferences took {} ms", ms_text(*time.profiled_median_ms));
        } else if (time.overhead_us_per_layer) {
          note += format(": profiling overhead is about {} µs per layer",
                         us_text(*time.overhead_us_per_layer));
        }
        note += "; shares below are shares of Σ layers";
      }
      grid.add_row({{"Σ layers"}, {ms_text(*sum), Ink::kStrong}, {"ms"}, {note}});
    }
    if (time.resolution_us) {
      grid.add_row(
          {{"resolution"},
           {format("{}", *time.resolution_us)},
           {"µs"},
           {format("the profiler's step; times of layers under {} µs are accurate to ±10 %",
                   us_text(*time.resolution_us * 10))}});
    }
    lines(grid.lines(width_, kScreenIndent, color_));
  }

  std::vector<std::string> group_block(std::string_view title, const std::vector<Group>& groups,
                                       bool bars) const {
    constexpr std::size_t kMax = 8;
    constexpr std::size_t kBarCells = 16;
    const bool timed = summary_.time.basis != analyze::TimeBasis::kNone;
    // A profile of sums has shares and no time of one inference.
    const bool has_shares = timed || std::ranges::any_of(groups, [](const Group& one) {
                              return one.share.has_value();
                            });
    const bool medians = summary_.time.basis == analyze::TimeBasis::kMedian;
    Grid grid({{}, {Alignment::kRight}, {Alignment::kRight}, {Alignment::kRight}, {}});
    std::vector<GridCell> heads = {{std::string(title), Ink::kFaint}, {"layers", Ink::kFaint}};
    if (timed) heads.push_back({medians ? "median ms" : "mean ms", Ink::kFaint});
    if (has_shares) heads.push_back({"share", Ink::kFaint});
    grid.add_row(std::move(heads));
    double largest = 0;
    for (const Group& group : groups) largest = std::max(largest, group.share.value_or(0));
    const auto add = [&](std::string name, std::string count, std::optional<double> time,
                         std::optional<double> share) {
      std::vector<GridCell> row = {{std::move(name)}, {std::move(count)}};
      if (timed) row.push_back({time ? ms_text_in_column(*time) : "–"});
      if (has_shares) {
        row.push_back({or_dash(share, percent_text)});
        if (bars && share && largest > 0) row.push_back({bar(*share / largest, kBarCells)});
      }
      grid.add_row(std::move(row));
    };
    const auto time_of = [&](const Group& group) {
      return medians ? group.median_ms : group.mean_ms;
    };
    for (std::size_t i = 0; i < std::min(kMax, groups.size()); ++i) {
      const Group& group = groups[i];
      add(group.key.empty() ? "not known" : printable(group.key), grouped(group.count),
          time_of(group), group.share);
    }
    if (groups.size() > kMax) {
      const analyze::Group rest = analyze::sum_of(std::span(groups).subspan(kMax));
      add(format("{} more", groups.size() - kMax), grouped(rest.count), time_of(rest), rest.share);
    }
    // Without them the rows would not add up to Σ layers.
    const analyze::Reconciliation& all = summary_.time;
    if (all.others_ms().value_or(0) > 0) {
      add(printable(others_text(all.others)), "", all.others_ms(), all.share(all.others_ms()));
    }
    return grid.lines(width_, kScreenIndent, color_);
  }

  // One number of decimals for all times of the screen's tables: as many as show what the smallest
  // engines' layers take.
  std::string ms_text_in_column(double ms) const {
    constexpr double kMinSum = 0.1;
    return format("{:.{}f}", ms, summary_.time.layers_ms().value_or(1) < kMinSum ? 5 : 3);
  }

  void groups() {
    if (!has_structure()) return;
    blank();
    if (model_.is_uncompiled()) {
      lines(group_block("by type", summary_.by_type, true));
      return;
    }
    lines(side_by_side(group_block("by type", summary_.by_type, true),
                       group_block("by precision", summary_.by_precision, false), 4, width_));
  }

  void slowest() {
    if (summary_.top_layers.empty()) return;
    constexpr std::size_t kMax = 5;
    blank();
    Grid grid({{Alignment::kLeft, true}, {}, {}, {Alignment::kRight}, {Alignment::kRight}});
    grid.add_row({{"slowest", Ink::kFaint},
                  {"type", Ink::kFaint},
                  {"in → out", Ink::kFaint},
                  {summary_.time.basis == analyze::TimeBasis::kMedian ? "median ms" : "mean ms",
                   Ink::kFaint},
                  {"share", Ink::kFaint}});
    for (std::size_t i = 0; i < std::min(kMax, summary_.top_layers.size()); ++i) {
      const analyze::LayerFigure& figure = summary_.top_layers[i];
      const std::size_t row = figure.layer.index();
      const auto share = model_.layers.share.get(row);
      grid.add_row({{printable(model_.text(model_.layers.name[row]))},
                    {printable(model_.text(model_.layers.type[row]))},
                    {precision_flow_text(model_, figure.layer)},
                    {ms_text_in_column(*figure.time_ms)},
                    {or_dash(share, percent_text)}});
    }
    lines(grid.lines(width_, kScreenIndent, color_));
  }

  // What runs on a DLA, and what fell back, by type and reason.
  void dla() {
    if (!summary_.dla) return;
    constexpr std::size_t kMax = 8;
    const analyze::DlaReport& dla = *summary_.dla;
    blank();
    Grid facts({{}, {.wraps = true}});
    std::string what = dla_counts(dla);
    if (dla.shared_tensor_count) {
      what +=
          format("; {} between them", counted(static_cast<std::size_t>(*dla.shared_tensor_count),
                                              "tensor passes", "tensors pass"));
    }
    facts.add_row({{"DLA     "}, {what}});
    if (dla.wait_ms) {
      facts.add_row(
          {{},
           {format("{} ms waiting for the DLA{}: the time of its parts", ms_text(*dla.wait_ms),
                   dla.wait_share ? format(", {} of Σ layers", percent_text(*dla.wait_share))
                                  : std::string())}});
    }
    if (dla.transfer_count > 0) {
      facts.add_row(
          {{},
           {format(
               "{} between the memories{}",
               counted(static_cast<std::size_t>(dla.transfer_count), "copy", "copies"),
               dla.transfer_ms ? format(", {} ms", ms_text(*dla.transfer_ms)) : std::string())}});
    }
    lines(facts.lines(width_, kScreenIndent, color_));
    if (dla.fallbacks.empty()) return;
    blank();
    Grid grid({{}, {Alignment::kRight}, {.wraps = true}, {Alignment::kLeft, true}});
    grid.add_row({{"fell back to the GPU", Ink::kFaint},
                  {"layers", Ink::kFaint},
                  {"why", Ink::kFaint},
                  {"such as", Ink::kFaint}});
    for (std::size_t i = 0; i < std::min(kMax, dla.fallbacks.size()); ++i) {
      const analyze::DlaFallbacks& group = dla.fallbacks[i];
      grid.add_row(
          {{group.type.empty() ? "type not in the log" : printable(group.type)},
           {grouped(static_cast<std::int64_t>(group.layers.size()))},
           {group.reason.empty() ? "unsupported; no reason in the log" : printable(group.reason)},
           {printable(group.layers.front())}});
    }
    lines(grid.lines(width_, kScreenIndent, color_));
    if (dla.fallbacks.size() > kMax) {
      line(format("  … {} more types and reasons", dla.fallbacks.size() - kMax));
    }
  }

  // Throughput against latency, where several inferences run at once.
  void concurrency() {
    if (!summary_.concurrency) return;
    const analyze::Concurrency& found = *summary_.concurrency;
    std::string text =
        format("{} concurrent inferences{}", found.at_once,
               found.source == "options" ? ", as the options of the run ask for" : "");
    if (found.throughput_per_s && found.latency_ms) {
      text += format(": {} inferences/s in all, {} ms each",
                     throughput_text(*found.throughput_per_s), ms_text(*found.latency_ms));
    }
    if (found.in_flight) text += format(", {:.1f} under way on average", *found.in_flight);
    text +=
        "; each waits for the others where they share the device, so one alone is faster. planex "
        "sweep --vary streams measures throughput against latency.";
    blank();
    text_ += wrapped(text, width_, 0);
  }

  // Streams of the device, where a trace shows several.
  void streams() {
    if (!summary_.streams) return;
    const auto sentence = stream_sentence(*summary_.streams);
    if (!sentence) return;
    blank();
    text_ += wrapped(*sentence + ". planex explain kernels lists them.", width_, 0);
  }

  // What "end to end" includes, and what it leaves out.
  void host_times() {
    if (!summary_.host_times) return;
    const analyze::HostTimes& host = *summary_.host_times;
    const auto name_of = [](std::string_view id) -> std::string_view {
      if (id == "latency") return "host latency: transfers and compute";
      if (id == "compute") return "compute on the device";
      if (id == "enqueue") return "the host starting it";
      return id == "h2d" ? "transfer to the device" : "transfer from the device";
    };
    blank();
    Grid grid({{}, {Alignment::kRight}, {Alignment::kRight}, {.wraps = true}});
    grid.add_row(
        {{"an inference", Ink::kFaint}, {"median ms", Ink::kFaint}, {"largest", Ink::kFaint}, {}});
    for (const analyze::HostPart& part : host.parts) {
      std::string note;
      if (part.id == "latency" && host.has_no_transfers) note = "the run left transfers out";
      if (part.id == host.end_to_end_part) {
        note = "end to end above";
        if (host.first_ms) note += format("; the first took {}", ms_text(*host.first_ms));
      }
      grid.add_row({{std::string(name_of(part.id))},
                    {part.median_ms ? ms_text_in_column(*part.median_ms) : "–"},
                    {part.max_ms ? ms_text_in_column(*part.max_ms) : "–"},
                    {note}});
    }
    lines(grid.lines(width_, kScreenIndent, color_));
  }

  // For ONNX Runtime with more than one provider: what runs where, and why.
  void providers() {
    if (!summary_.providers) return;
    const analyze::ProviderReport& report = *summary_.providers;
    const bool is_plain = report.providers.size() < 2 && report.copy_count.value_or(0) == 0 &&
                          report.fallbacks.empty() && has_structure();
    if (is_plain) return;
    blank();
    const bool timed = summary_.time.basis != analyze::TimeBasis::kNone;
    Grid grid({{}, {Alignment::kRight}, {Alignment::kRight}, {Alignment::kRight}});
    std::vector<GridCell> heads = {{"by provider", Ink::kFaint}, {"layers", Ink::kFaint}};
    if (timed) {
      heads.push_back({"ms", Ink::kFaint});
      heads.push_back({"share", Ink::kFaint});
    }
    grid.add_row(std::move(heads));
    const auto add = [&](std::string name, std::string count, std::optional<double> time,
                         std::optional<double> share) {
      std::vector<GridCell> row = {{std::move(name)}, {std::move(count)}};
      if (timed) {
        row.push_back({time ? ms_text_in_column(*time) : "–"});
        row.push_back({or_dash(share, percent_text)});
      }
      grid.add_row(std::move(row));
    };
    for (const analyze::ProviderLoad& load : report.providers) {
      add(printable(load.provider), load.layer_count ? grouped(*load.layer_count) : "all",
          load.time_ms, load.share);
    }
    if (report.copy_count.value_or(0) > 0) {
      add("copies between them", grouped(*report.copy_count), report.copy_ms, report.copy_share);
    }
    if (!report.providers.empty() || report.copy_count) {
      lines(grid.lines(width_, kScreenIndent, color_));
    }
    provider_fallbacks(report);
  }

  void provider_fallbacks(const analyze::ProviderReport& report) {
    if (report.fallbacks.empty()) return;
    constexpr std::size_t kMax = 8;
    if (!report.providers.empty()) blank();
    Grid grid({{}, {Alignment::kRight}, {.wraps = true}, {Alignment::kLeft, true}});
    grid.add_row({{"fell back", Ink::kFaint},
                  {"nodes", Ink::kFaint},
                  {"why", Ink::kFaint},
                  {"such as", Ink::kFaint}});
    for (std::size_t i = 0; i < std::min(kMax, report.fallbacks.size()); ++i) {
      const analyze::ProviderFallbacks& group = report.fallbacks[i];
      grid.add_row({{group.type.empty() ? "type not in the log" : printable(group.type)},
                    {grouped(group.count)},
                    {printable(group.reason)},
                    {group.nodes.empty() ? std::string() : printable(group.nodes.front())}});
    }
    lines(grid.lines(width_, kScreenIndent, color_));
    if (report.fallbacks.size() > kMax) {
      line(format("  … {} more types and reasons", report.fallbacks.size() - kMax));
    }
  }

  // For a model that was not compiled: its Q/DQ, and what targets would make of them. "likely
  // copies 1 input and 2 tensors inside into another layout"; empty: none, or not known.
  static std::string layout_copies_text(const analyze::TargetPlan& target) {
    std::vector<std::string> parts;
    const auto add = [&parts](std::optional<std::int64_t> count, std::string_view one,
                              std::string_view where) {
      if (count.value_or(0) == 0) return;
      parts.push_back(format("{}{}", counted(static_cast<std::size_t>(*count), one), where));
    };
    add(target.layout_copies_at_inputs, "input", "");
    add(target.layout_copies_inside, "tensor", " between layers");
    add(target.layout_copies_at_outputs, "output", "");
    if (parts.empty()) return {};
    std::string text = "likely copies ";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_last = i + 1 == parts.size();
      text += format("{}{}", i == 0 ? "" : is_last ? " and " : ", ", parts[i]);
    }
    return text + " into another layout, as its convolutions keep channels last";
  }

  void model_plan() {
    if (!summary_.model_plan) return;
    const analyze::ModelPlan& plan = *summary_.model_plan;
    const bool has_pairs = plan.pair_count + plan.quantized_weight_count > 0;
    blank();
    Grid facts({{}, {.wraps = true}});
    const auto count = [](std::int64_t value, std::string_view one) {
      return counted(static_cast<std::size_t>(value), one);
    };
    std::string what = "none: a float model";
    if (has_pairs || plan.quantized_count > 0) {
      what = format("{} of activations, {}; {} of {} read both quantized",
                    count(plan.pair_count, "pair"),
                    count(plan.quantized_weight_count, "quantized weight"), plan.quantized_count,
                    counted(static_cast<std::size_t>(plan.product_count),
                            "convolution or matrix product", "convolutions and matrix products"));
      if (plan.partly_quantized_count > 0) {
        what += format(", {} one of the two", plan.partly_quantized_count);
      }
    }
    facts.add_row({{"Q/DQ    "}, {what}});
    for (const analyze::TargetPlan& target : plan.targets) {
      std::string words;
      if (target.layers) {
        words = format("would run {} of {} in INT8, with {} of Q/DQ", *target.layers,
                       counted(static_cast<std::size_t>(plan.product_count),
                               "convolution or matrix product", "convolutions and matrix products"),
                       count(*target.tensors, "pair"));
      } else if (target.edits) {
        words = *target.edits == 0 ? std::string("Q/DQ are where its rules need them")
                                   : format("{} of the Q/DQ: planex advise {} --target {}",
                                            count(*target.edits, "edit"), plan_, target.target);
      } else {
        words = "no layer that its rules quantize";
      }
      facts.add_row({{}, {format("{}: {}", target.target, words)}});
    }
    bool is_first = true;
    for (const analyze::TargetPlan& target : plan.targets) {
      const std::string words = layout_copies_text(target);
      if (words.empty()) continue;
      facts.add_row({{is_first ? "copies" : ""}, {format("{}: {}", target.target, words)}});
      is_first = false;
    }
    lines(facts.lines(width_, kScreenIndent, color_));
  }

  // "ReduceMean_13, Pow_15, …: 7 in all, in 2 layers of the engine".
  static std::string named_text(const analyze::AccuracyWarning& warning) {
    constexpr std::size_t kMax = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMax, warning.names.size()); ++i) {
      text += format("{}{}", i == 0 ? "" : ", ", printable(warning.names[i]));
    }
    if (warning.names.size() > kMax) text += format(", … {} in all", warning.names.size());
    if (!warning.layers.empty()) {
      text += format(" ({} of the engine)", counted(warning.layers.size(), "layer"));
    }
    return text;
  }

  // What the builder warns about, and what to do.
  void accuracy() {
    if (summary_.accuracy_warnings.empty()) return;
    blank();
    Grid grid({{}, {.wraps = true}});
    bool is_first = true;
    for (const analyze::AccuracyWarning& warning : summary_.accuracy_warnings) {
      std::string what(warning.cause);
      if (warning.weight_count) {
        what += format("; {}", counted(static_cast<std::size_t>(*warning.weight_count), "weight"));
      }
      if (!warning.names.empty()) what += format(": {}", named_text(warning));
      grid.add_row({{is_first ? "accuracy" : "", Ink::kWarning}, {what}});
      if (!warning.cure.empty()) grid.add_row({{}, {std::string(warning.cure), Ink::kFaint}});
      is_first = false;
    }
    lines(grid.lines(width_, kScreenIndent, color_));
  }

  // Has a section of its own.
  bool is_accuracy_warning(const analyze::DiagnosticGroup& group) const {
    return std::ranges::find(summary_.accuracy_warnings, group.code,
                             &analyze::AccuracyWarning::code) != summary_.accuracy_warnings.end();
  }

  std::string work_text() const {
    const auto text = [](std::int64_t flops) { return flops_text(static_cast<double>(flops)); };
    if (!summary_.least_flops) {
      return format("{}{} per inference", summary_.layers_without_flops > 0 ? "≥ " : "",
                    text(*summary_.flops));
    }
    const std::string range =
        summary_.layers_without_flops > 0
            ? format("≥ {}", text(*summary_.least_flops))
            : format("{} to {}", text(*summary_.least_flops), text(*summary_.flops));
    return format("{} per inference, depending on the branch of a conditional that runs", range);
  }

  // Which tensors there are, and how much of their memory is live at once.
  std::string live_memory() const {
    const analyze::MemorySummary& memory = summary_.memory;
    std::string text;
    if (memory.distinct_bytes) {
      text =
          format("{} in {}{}", counted(static_cast<std::size_t>(memory.distinct_count), "tensor"),
                 memory.tensors_without_size > 0 ? "≥ " : "",
                 bytes_text(static_cast<double>(*memory.distinct_bytes)));
    }
    if (memory.peak.bytes && !memory.peak.layer.is_null()) {
      const bool is_lower_bound = memory.peak.tensors_without_size > 0;
      text +=
          format("{}peak activations {}{} (at {})", text.empty() ? "" : "    ",
                 is_lower_bound ? "≥ " : "", bytes_text(static_cast<double>(*memory.peak.bytes)),
                 printable(model_.text(model_.layers.name[memory.peak.layer.index()])));
    }
    if (memory.reported_activation_bytes) {
      text += format("{}the builder reserves {}", text.empty() ? "" : "; ",
                     bytes_text(static_cast<double>(*memory.reported_activation_bytes)));
      // For a block that is the whole engine, the scratch memory is all of it, activations
      // included.
      const std::int64_t scratch = memory.reported_scratch_bytes.value_or(0);
      if (scratch >= *memory.reported_activation_bytes && scratch > 0) {
        text += " with scratch memory";
      } else if (scratch > 0) {
        text += format(", {} of it scratch memory of one layer",
                       bytes_text(static_cast<double>(scratch)));
      }
    }
    return text;
  }

  // The optimization profiles of the engine side by side, where there are several.
  void profiles() {
    const auto count = model_.engine.profile_count.get(0);
    if (!count || *count < 2) return;
    // Layer names can mention profile 12 and not 3, so only the profiles that are mentioned are
    // listed.
    struct Profile {
      std::size_t layers = 0;
      std::string shapes;
    };
    std::map<std::int64_t, Profile> profiles;
    std::size_t of_all = 0;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (model_.layers.role[row] != model::Role::kWork) continue;
      if (const auto of = model_.layers.profile_index.get(row)) {
        ++profiles[*of].layers;
      } else {
        ++of_all;
      }
    }
    const model::ProfilesTable& table = model_.profiles;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      if (table.opt_dims.is_null(row)) continue;
      std::string& shapes = profiles[table.profile_index[row]].shapes;
      shapes += format("{}{} {} … {} … {}", shapes.empty() ? "" : ", ",
                       printable(model_.text(table.binding[row])), dims_text(table.min_dims[row]),
                       dims_text(table.opt_dims[row]), dims_text(table.max_dims[row]));
    }
    const auto shown = model_.engine.profile_index.get(0);
    if (shown) profiles.try_emplace(*shown);
    constexpr std::size_t kMax = 8;
    Grid grid({{}, {Alignment::kRight}, {.wraps = true}});
    std::size_t listed = 0;
    for (const auto& [index, profile] : profiles) {
      if (listed++ == kMax) break;
      grid.add_row({{format("profile {}{}", index, index == shown ? ", shown" : "")},
                    {counted(profile.layers + of_all, "layer")},
                    {profile.shapes}});
    }
    blank();
    lines(grid.lines(width_, kScreenIndent, color_));
    if (profiles.size() > kMax) line(format("  … {} more", profiles.size() - kMax));
    const auto told = static_cast<std::int64_t>(profiles.size());
    if (told < *count) {
      line(format("  {} of {} profiles are not in the file", *count - told, *count));
    }
  }

  void totals() {
    Grid grid({{}, {.wraps = true}});
    const auto batch = model_.engine.batch_size.get(0);
    // A lower bound of zero says nothing.
    const bool has_weights = summary_.weight_bytes && (*summary_.weight_bytes > 0 ||
                                                       summary_.memory.layers_without_weights == 0);
    const bool has_traffic = summary_.activation_bytes &&
                             (*summary_.activation_bytes > 0 || summary_.layers_without_bytes == 0);
    if (has_weights || has_traffic) {
      std::string memory;
      if (has_weights) {
        memory = format("weights {}{}", summary_.memory.layers_without_weights > 0 ? "≥ " : "",
                        bytes_text(static_cast<double>(*summary_.weight_bytes)));
      }
      if (has_traffic) {
        const auto bytes = static_cast<double>(*summary_.activation_bytes);
        memory += format("{}activation traffic {}{} per inference", memory.empty() ? "" : "    ",
                         summary_.layers_without_bytes > 0 ? "≥ " : "", bytes_text(bytes));
        if (batch && *batch > 1) {
          memory += format(", {} per image", bytes_text(bytes / static_cast<double>(*batch)));
        }
      }
      grid.add_row({{"memory  "}, {memory}});  // as wide as "findings"
    }
    if (const std::string live = live_memory(); !live.empty()) {
      grid.add_row({{"        "}, {live}});
    }
    if (summary_.flops) {
      grid.add_row({{"work    "}, {work_text()}});
    }
    if (summary_.build && !failed()) {
      grid.add_row({{"build   "}, {build_time_text(*summary_.build)}});
      const std::string advice = build_time_advice(model_, *summary_.build);
      if (!advice.empty()) grid.add_row({{}, {advice, Ink::kFaint}});
    }
    const analyze::FindingCounts& found = summary_.findings;
    std::string findings;
    const auto add = [&](std::int64_t count, std::string_view word) {
      if (count == 0) return;
      findings += findings.empty() ? "" : ", ";
      findings += counted(static_cast<std::size_t>(count), word);
    };
    add(found.error, "error");
    add(found.warning, "warning");
    add(found.info, "note");
    if (!findings.empty()) grid.add_row({{"findings"}, {findings}});
    for (const analyze::DiagnosticGroup& group : summary_.diagnostics) {
      if (group.severity == model::Severity::kInfo || is_accuracy_warning(group)) continue;
      if (is_said_already(group, model_.text(model_.engine.detail[0]), summary_.diagnostics)) {
        continue;
      }
      grid.add_row({{"note    ", Ink::kWarning},
                    {format("{}{}", printable(group.message),
                            group.count > 1 ? format(" (and {} more)", group.count - 1) : "")}});
    }
    const std::vector<std::string> rows = grid.lines(width_, kScreenIndent, color_);
    if (!rows.empty() || has_structure()) blank();
    lines(rows);
    if (has_structure()) next();
  }

  // Commands, whole: on one line where they fit, else one below the other.
  void next() {
    const std::string lint = (model_.is_uncompiled() ? "planex layers " : "planex lint ") + plan_;
    const std::string report = format("planex report {} -o report.html", plan_);
    constexpr std::string_view kGapBetween = "      ";
    constexpr std::string_view kLabel = "  next      ";
    const std::string both = format("{}{}{}{}", kLabel, lint, kGapBetween, report);
    if (width_ == 0 || visible_width(both) <= width_) {
      line(both);
    } else {
      line(format("{}{}", kLabel, lint));
      line(format("{}{}", std::string(kLabel.size(), ' '), report));
    }
  }

  // What leaves most of the screen empty, and how to add it: after everything else, which may be
  // all that was asked for. Missing inference times alone are left out: doctor has the command.
  void missing() {
    const auto keeps_empty = [](const analyze::MissingPiece& piece) {
      return !piece.is_optional && piece.id != "times";
    };
    if (std::ranges::none_of(summary_.missing, keeps_empty)) return;
    blank();
    const auto& pieces = summary_.missing;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].is_optional) continue;
      // One command may provide several.
      std::string what = pieces[i].what;
      while (i + 1 < pieces.size() && pieces[i + 1].command == pieces[i].command) {
        what += format("; {}", pieces[++i].what);
      }
      const analyze::MissingPiece& piece = pieces[i];
      line(failed()
               ? std::string("  next:")
               : format("  to see {}{}{}:", what, piece.place.empty() ? "" : ", ", piece.place));
      line(format("    {}", printable(piece.command)));
    }
  }

  const PlanModel& model_;
  const Summary& summary_;
  std::string plan_;
  std::size_t width_;
  bool color_;
  std::string text_;
};

}  // namespace

std::string summary_text(const PlanModel& model, const Summary& summary, std::string_view plan,
                         const TableStyle& style) {
  return SummaryScreen(model, summary, plan, style).render();
}

}  // namespace planex::render
