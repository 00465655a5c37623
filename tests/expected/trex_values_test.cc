// Our model against what TREx, the predecessor, computed from the same files, value by value:
// data/expected/*.json, made by running TREx 0.2.1.
//
// Where TREx is wrong (section 4 of data/expected/README.md) the test is against the right value;
// each such place is marked DIFFERS and says why. There is no tolerance beyond the digits that the
// files themselves are written with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyze/summary/summary.h"
#include "analyze/timing/reconcile.h"
#include "analyze/work/work.h"
#include "base/statistics.h"
#include "base/text.h"
#include "expected/trex_set.h"

namespace planex::test {
namespace {

using base::format;
using model::Direction;
using model::DType;
using model::Family;
using model::LayerId;
using model::PlanModel;
using model::Role;

// {"Type": "Half", "Count": 320}, read with another parser.
std::int64_t bytes_of_weights(std::string_view value) {
  dom::parser parser;
  dom::element object;
  EXPECT_EQ(parser.parse(std::string(value)).get(object), simdjson::SUCCESS) << value;
  const std::string type = text(object["Type"]);
  EXPECT_TRUE(type == "Float" || type == "Half" || type == "Int8") << value;
  return integer(object["Count"]) * (type == "Float" ? 4 : type == "Half" ? 2 : 1);
}

class TrexValues : public TrexSet {};

TEST_P(TrexValues, Counts) {
  const dom::element totals = at("totals");
  EXPECT_EQ(summary_.record_count, integer(totals["records_in_file"]));
  EXPECT_EQ(summary_.layer_count, integer(totals["layers"]));
  const auto with_role = [&](Role role) {
    return std::ranges::count(layers().role.values(), role);
  };
  EXPECT_EQ(with_role(Role::kConstant), integer(totals["constants"]));
  EXPECT_EQ(with_role(Role::kNoOp), integer(totals["noops_folded"]));
  EXPECT_EQ(with_role(Role::kShape), integer(totals["shape_calls_dropped"]));
  // Nothing is odd in these files but what no file has: no diagnostic about what was read.
  const std::vector<std::string> codes = diagnostic_codes(*model_);
  for (const std::string_view never :
       {"unknown-format", "unknown-key", "unknown-weights", "layer-without-name",
        "layer-without-type", "trailing-text", "profile-row-without-layer", "names-only"}) {
    EXPECT_THAT(codes, ::testing::Not(::testing::Contains(never)));
  }
}

TEST_P(TrexValues, LayersInOrder) {
  for_each_layer([&](dom::element expected, LayerId layer) {
    const std::size_t row = layer.index();
    EXPECT_EQ(name(layer), text(expected["name"]));
    EXPECT_EQ(trex_type(model_->text(layers().type[row])), text(expected["type"]));
    EXPECT_EQ(model_->text(layers().subtype[row]), text(expected["subtype"]));
    EXPECT_EQ(model_->text(layers().raw_type[row]), text(expected["subtype"]));
    // DIFFERS: what has no tactic name is null, not the word "TensorRT".
    const std::string tactic = text(expected["tactic"]);
    EXPECT_EQ(model_->text(layers().tactic[row]), tactic == "TensorRT" ? "" : tactic);
  });
}

TEST_P(TrexValues, Ports) {
  for_each_layer([&](dom::element expected, LayerId layer) {
    EXPECT_EQ(our_ports(*model_, layer, Direction::kInput), their_ports(expected["in"]));
    EXPECT_EQ(our_ports(*model_, layer, Direction::kOutput), their_ports(expected["out"]));
  });
}

TEST_P(TrexValues, Precisions) {
  for_each_layer([&](dom::element expected, LayerId layer) {
    EXPECT_EQ(to_string(layers().precision[layer.index()]), text(expected["precision"]));
    EXPECT_EQ(to_string(layers().output_precision[layer.index()]),
              text(expected["output_precision"]));
  });
}

TEST_P(TrexValues, Bytes) {
  std::int64_t io = 0, biases = 0;
  for_each_layer([&](dom::element expected, LayerId layer) {
    const std::size_t row = layer.index();
    // Traffic: a tensor once per use, unpadded. README: "Test against them".
    const std::int64_t listed = listed_weights(layer);
    EXPECT_EQ(layers().input_bytes.get(row), integer(expected["in_bytes"]) - listed);
    EXPECT_EQ(layers().output_bytes.get(row), integer(expected["out_bytes"]));
    EXPECT_EQ(layers().io_bytes.get(row), integer(expected["io_bytes"]) - listed);
    io += integer(expected["io_bytes"]);
    biases += integer(expected["bias_bytes"]);
    std::int64_t weights = integer(expected["weights_bytes"]) + integer(expected["bias_bytes"]);
    const std::string type = text(expected["type"]);
    if (type == "ConvActPool") {
      // DIFFERS: TREx misses ConvWeights and ConvBias. The second opinion has their sum.
      EXPECT_EQ(weights, 0);
      weights = layers().weight_bytes.get(row).value_or(0);
      EXPECT_GT(weights, 0);
    } else if (type == "Scale") {
      // DIFFERS: TREx misses Scale, Shift and Power: one number a channel, or one in all.
      EXPECT_EQ(weights, 0);
      weights = 0;
      for (const std::string_view key : {"Scale", "Shift", "Power"}) {
        weights += bytes_of_weights(model_->attribute(layer, key));
      }
    }
    const bool tells = layers().weight_bytes.get(row).has_value();
    if (!tells) {
      // DIFFERS: what a layer of Myelin, a plug-in or the like stores is not known, and not 0.
      EXPECT_EQ(weights, 0);
      EXPECT_TRUE(model_->attribute(layer, "Weights").empty());
      EXPECT_FALSE(layers().footprint_bytes.get(row));
      return;
    }
    EXPECT_EQ(layers().weight_bytes.get(row), weights + listed);
    EXPECT_EQ(layers().footprint_bytes.get(row), integer(expected["io_bytes"]) + weights);
  });
  EXPECT_EQ(io, integer(at("totals")["activation_io_bytes"]));
  EXPECT_EQ(biases, integer(at("totals")["bias_bytes_not_counted_by_trex"]));
  EXPECT_EQ(summary_.activation_bytes, io - listed_weights());
}

TEST_P(TrexValues, WeightsInAll) {
  // DIFFERS: with biases, constants and fused convolution + pooling (section 4). The second opinion
  // was computed from the raw records by another program.
  std::int64_t scales = 0;
  for (const LayerId layer : work_) {
    // The second opinion has no Scale layers; test Bytes checks them one by one.
    if (model_->text(layers().type[layer.index()]) == "Scale") {
      scales += layers().weight_bytes.get(layer.index()).value_or(0);
    }
  }
  // DIFFERS: nor has it weights that a Myelin kernel lists among its inputs.
  std::int64_t inputs = 0;
  for (std::size_t port = 0; port < model_->ports.row_count(); ++port) {
    const std::size_t tensor = model_->ports.tensor_id[port].index();
    if (model_->tensors.role[tensor] == model::TensorRole::kConstant &&
        model_->tensors.producers[tensor] == 0) {
      inputs += model_->ports.data_bytes[port];
    }
  }
  EXPECT_EQ(inputs, std::string_view(GetParam()) == "resnet18-trt10-fp16" ? 513 * 1000 * 2 : 0);
  const std::int64_t all = integer(at("not_trex")["weights_bytes_incl_bias_constants_fused_pool"]);
  EXPECT_EQ(summary_.weight_bytes.value_or(0) - scales - inputs, all);
  // What the layers read: constants at each of their readers, where these tell their weights.
  std::int64_t read = 0;
  for (const LayerId layer : work_) read += layers().weight_bytes.get(layer.index()).value_or(0);
  EXPECT_EQ(summary_.footprint_bytes,
            integer(at("totals")["activation_io_bytes"]) - listed_weights() + read);
  // The same from TREx's own sum, where nothing but biases and constants is missing there.
  std::int64_t constants = 0;
  for (std::size_t row = 0; row < layers().row_count(); ++row) {
    if (layers().role[row] == Role::kConstant) {
      constants += layers().weight_bytes.get(row).value_or(0);
    }
  }
  EXPECT_EQ(constants, integer(at("not_trex")["constant_bytes"]));
}

TEST_P(TrexValues, Times) {
  if (!has_profile()) {
    // TREx loads such a set with zero latencies. DIFFERS: what was not measured is null. One set
    // has a dictionary of samples that TREx can't read and we can; ProfileSamples checks it.
    if (std::string_view(GetParam()) == "mobilenetv2-trt10.1-fp16") return;
    for (const LayerId layer : work_) {
      EXPECT_FALSE(layers().mean_ms.get(layer.index()));
      EXPECT_FALSE(layers().median_ms.get(layer.index()));
      EXPECT_FALSE(layers().share.get(layer.index()));
    }
    EXPECT_EQ(summary_.time.basis, analyze::TimeBasis::kNone);
    EXPECT_FALSE(summary_.time.layers_mean_ms);
    return;
  }
  const dom::element totals = at("totals");
  ASSERT_TRUE(summary_.time.layers_mean_ms);
  double lost_ms = 0;  // of records that TREx drops with their time
  for (std::size_t row = 0; row < layers().row_count(); ++row) {
    if (layers().role[row] != Role::kWork) lost_ms += layers().mean_ms.get(row).value_or(0);
  }
  double average = 0, median = 0, percent = 0;
  for_each_layer([&](dom::element expected, LayerId layer) {
    const std::size_t row = layer.index();
    EXPECT_EQ(layers().mean_ms.get(row), number(expected["avg_ms"]));
    average += layers().mean_ms[row];
    // The key is missing where the profile has no medians.
    if (!has(expected, "median_ms")) {
      EXPECT_FALSE(layers().median_ms.get(row));
    } else {
      EXPECT_EQ(layers().median_ms.get(row), number(expected["median_ms"]));
      median += layers().median_ms[row];
    }
    // The share is of all rows of the profile, as the file's own percentage is: also of those that
    // TREx drops. Both are on the basis of means.
    const double share = layers().mean_ms[row] / *summary_.time.layers_mean_ms;
    const double written = number(expected["pct"]);
    EXPECT_NEAR(share * 100.0, written, written * 3 * kWrittenDigits);
    percent += written;
  });
  EXPECT_NEAR(average, number(totals["sum_avg_ms"]), 1e-9);
  EXPECT_NEAR(percent, number(totals["sum_pct"]), 1e-6);
  // DIFFERS: constants, no-ops and shape calls that took time stay in our sum.
  EXPECT_NEAR(*summary_.time.layers_mean_ms, number(totals["sum_avg_ms"]) + lost_ms, 1e-9);
  if (totals["sum_median_ms"].is_null()) {
    EXPECT_EQ(summary_.time.basis, analyze::TimeBasis::kMean);
    EXPECT_FALSE(summary_.time.layers_median_ms);
  } else {
    EXPECT_EQ(summary_.time.basis, analyze::TimeBasis::kMedian);
    EXPECT_NEAR(median, number(totals["sum_median_ms"]), 1e-9);
  }
  EXPECT_EQ(
      std::ranges::count_if(work_, [&](LayerId l) { return layers().mean_ms[l.index()] == 0; }),
      integer(totals["zero_time_layers"]));
}

TEST_P(TrexValues, Convolutions) {
  std::size_t index = 0;
  std::map<std::string, dom::element, std::less<>> by_name;
  for (const dom::element conv : dom::array(at("convs"))) by_name.emplace(text(conv["name"]), conv);
  std::int64_t macs = 0, all_macs = 0;
  const analyze::WorkReader work(*model_);
  for (const LayerId layer : work_) {
    const std::size_t row = layer.index();
    if (layers().family[row] != Family::kConvolution) continue;
    SCOPED_TRACE(name(layer));
    ASSERT_TRUE(layers().macs.get(row));
    all_macs += layers().macs[row];
    EXPECT_EQ(layers().flops.get(row), 2 * layers().macs[row]);
    // DIFFERS: flops (not MACs) over all bytes moved, with the weights' own type, the bias and the
    // residual input.
    EXPECT_DOUBLE_EQ(layers().arithmetic_intensity[row],
                     2.0 * static_cast<double>(layers().macs[row]) /
                         static_cast<double>(layers().footprint_bytes[row]));
    const auto found = by_name.find(name(layer));
    if (found == by_name.end()) {
      // DIFFERS: TREx leaves these out (section 4: conv totals).
      const std::string type(model_->text(layers().type[row]));
      EXPECT_THAT(type, ::testing::AnyOf("ConvActPool", "Deconvolution"));
      continue;
    }
    ++index;
    const dom::element conv = found->second;
    const auto parameters = analyze::convolution_parameters(*model_, layer);
    ASSERT_TRUE(parameters);
    EXPECT_EQ(parameters->kernel, integers(conv["kernel"]));
    EXPECT_EQ(parameters->stride, integers(conv["stride"]));
    EXPECT_EQ(parameters->dilation, integers(conv["dilation"]));
    EXPECT_EQ(parameters->groups, integer(conv["groups"]));
    EXPECT_EQ(parameters->out_maps, integer(conv["out_maps"]));
    EXPECT_EQ(model_->attribute(layer, "Activation"), text(conv["activation"]));
    EXPECT_EQ(layers().macs[row], integer(conv["macs"]));
    // DIFFERS: TREx's K is not divided by groups.
    const auto gemm = work.implicit_gemm(layer);
    ASSERT_TRUE(gemm);
    EXPECT_EQ(gemm->m, integer(conv["M"]));
    EXPECT_EQ(gemm->n, integer(conv["N"]));
    EXPECT_EQ(gemm->k * parameters->groups, integer(conv["K"]));
    EXPECT_EQ(gemm->m * gemm->n * gemm->k, layers().macs[row]);
    EXPECT_EQ(model_->text(layers().work_evidence[row]), "parameters");
    macs += layers().macs[row];
  }
  EXPECT_EQ(index, by_name.size());
  EXPECT_EQ(macs, integer(at("conv_totals")["macs"]));
  EXPECT_EQ(static_cast<std::int64_t>(index), integer(at("conv_totals")["count"]));
  // The second opinion: batch x output positions x weight count, over all convolutions.
  EXPECT_EQ(all_macs, integer(at("not_trex")["conv_macs_from_weight_count"]));
}

struct GroupSums {
  std::int64_t count = 0;
  double mean_ms = 0, percent = 0;
};

void expect_group(dom::element expected, const GroupSums& ours) {
  EXPECT_EQ(ours.count, integer(expected["count"]));
  EXPECT_NEAR(ours.mean_ms, number(expected["avg_ms"]), 1e-9);
  // Each of the percentages that were summed has six digits.
  const double percent = number(expected["pct"]);
  EXPECT_NEAR(ours.percent, percent, percent * 3 * kWrittenDigits);
}

TEST_P(TrexValues, Groups) {
  const bool timed = has_profile();
  const double total = summary_.time.layers_mean_ms.value_or(1);
  const auto check = [&](std::string_view key, const std::vector<analyze::Group>& groups) {
    SCOPED_TRACE(key);
    std::map<std::string, GroupSums> ours;
    for (const analyze::Group& group : groups) {
      GroupSums& sums = ours[std::string(trex_type(group.key))];
      sums.count += group.count;
      if (!timed) continue;
      sums.mean_ms += group.mean_ms.value_or(0);
      sums.percent += group.mean_ms.value_or(0) / total * 100.0;
    }
    std::size_t count = 0;
    for (const dom::element expected : dom::array(at(key))) {
      SCOPED_TRACE(text(expected["key"]));
      ASSERT_TRUE(ours.contains(text(expected["key"])));
      expect_group(expected, ours[text(expected["key"])]);
      ++count;
    }
    EXPECT_EQ(count, ours.size());
  };
  check("by_type", summary_.by_type);
  check("by_precision", summary_.by_precision);
  check("by_output_precision", summary_.by_output_precision);

  const auto check_histogram = [&](std::string_view key, const model::Text& column) {
    std::map<std::string, std::int64_t> ours;
    for (const LayerId layer : work_) {
      ++ours[std::string(trex_type(model_->text(column[layer.index()])))];
    }
    std::map<std::string, std::int64_t> theirs;
    for (const auto [word, count] : dom::object(at("histograms")[key])) {
      theirs.emplace(word, integer(count));
    }
    EXPECT_EQ(ours, theirs) << key;
  };
  check_histogram("type", layers().type);
  check_histogram("subtype", layers().subtype);
  std::map<std::string, std::int64_t> formats, their_formats;
  for (const LayerId layer : work_) {
    for (const Direction direction : {Direction::kInput, Direction::kOutput}) {
      for (const Port& port : our_ports(*model_, layer, direction)) ++formats[port.short_format];
    }
  }
  for (const auto [word, count] : dom::object(at("histograms")["formats_in_out"])) {
    their_formats.emplace(word, integer(count));
  }
  if (has_folded_ports()) {
    // DIFFERS: TREx counts the formats after it has folded no-ops away and put another tensor in
    // place of what a layer really reads. Ours are the layer's own, which test Ports has compared
    // one by one. The number of ports is the same.
    const auto total_of = [](const auto& counts) {
      std::int64_t sum = 0;
      for (const auto& [word, count] : counts) sum += count;
      return sum;
    };
    EXPECT_EQ(total_of(formats), total_of(their_formats));
  } else {
    EXPECT_EQ(formats, their_formats);
  }
}

TEST_P(TrexValues, ReformatsByOrigin) {
  std::map<std::string, GroupSums> ours;
  for (const LayerId layer : work_) {
    const std::size_t row = layer.index();
    if (layers().origin.is_null(row)) continue;
    EXPECT_EQ(layers().family[row], Family::kReformat);
    GroupSums& sums = ours[std::string(model_->text(layers().origin[row]))];
    ++sums.count;
    if (!has_profile()) continue;
    sums.mean_ms += layers().mean_ms[row];
    sums.percent += layers().mean_ms[row] / *summary_.time.layers_mean_ms * 100.0;
  }
  std::size_t count = 0;
  if (has(expected_, "reformat_by_origin")) {
    for (const dom::element expected : dom::array(at("reformat_by_origin"))) {
      SCOPED_TRACE(text(expected["origin"]));
      expect_group(expected, ours[text(expected["origin"])]);
      ++count;
    }
  }
  EXPECT_EQ(count, ours.size());
}

TEST_P(TrexValues, DistinctTensorBytes) {
  // The second opinion: every tensor that a working layer reads or writes once, at its largest
  // view.
  std::map<std::size_t, std::int64_t> largest, weights;
  for (const LayerId layer : work_) {
    const model::RowRange rows = model_->ports_of(layer);
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      const bool is_weight = analyze::is_weight_input(*model_, row);
      std::int64_t& bytes = (is_weight ? weights : largest)[model_->ports.tensor_id[row].index()];
      bytes = std::max(bytes, model_->ports.data_bytes.get(row).value_or(0));
    }
  }
  std::int64_t sum = 0;
  for (const auto& [tensor, bytes] : largest) sum += bytes;
  EXPECT_EQ(summary_.memory.distinct_data_bytes, sum);
  EXPECT_EQ(summary_.memory.distinct_count, static_cast<std::int64_t>(largest.size()));
  // DIFFERS: theirs has weights that are listed as inputs.
  std::int64_t their_sum = integer(at("not_trex")["distinct_tensor_bytes"]);
  for (const auto& [tensor, bytes] : weights) their_sum -= bytes;
  const std::int64_t their_count =
      integer(at("not_trex")["distinct_tensors"]) - static_cast<std::int64_t>(weights.size());
  const auto count = static_cast<std::int64_t>(largest.size());
  if (has_folded_ports()) {
    // DIFFERS: their count is after no-op folding, so both sides of a no-op are one tensor.
    EXPECT_GE(sum, their_sum);
    EXPECT_GT(count, their_count);
    EXPECT_LE(count, their_count + integer(at("totals")["noops_folded"]));
  } else {
    EXPECT_EQ(sum, their_sum);
    EXPECT_EQ(count, their_count);
  }
}

TEST_P(TrexValues, Bindings) {
  std::vector<std::string> names;
  for (const base::StringId id : model_->bindings.name.values()) {
    names.emplace_back(model_->text(id));
  }
  std::vector<std::string> their_names;
  for (const dom::element binding : dom::array(at("bindings")["names"])) {
    their_names.push_back(text(binding));
  }
  EXPECT_EQ(names, their_names);
  const auto check = [&](std::string_view key, const std::vector<analyze::Binding>& bindings) {
    // TREx sorts them by name.
    std::multiset<std::string> ours, theirs;
    for (const analyze::Binding& binding : bindings) {
      ours.insert(format("{}: [{}]x{}", binding.name, fmt::join(binding.dims, ", "),
                         short_format(binding.dtype, binding.layout)));
    }
    for (const dom::element binding : dom::array(at("bindings")[key])) {
      theirs.insert(text(binding));
    }
    EXPECT_EQ(ours, theirs) << key;
  };
  check("inputs", summary_.inputs);
  check("outputs", summary_.outputs);
}

TEST_P(TrexValues, TimingSamples) {
  if (!has(expected_, "timing_samples")) {
    EXPECT_EQ(model_->iterations.row_count(), 0u);
    return;
  }
  const dom::element expected = at("timing_samples");
  const std::size_t count = model_->iterations.row_count();
  ASSERT_EQ(static_cast<std::int64_t>(count), integer(expected["n"]));
  const model::Real& latency = model_->iterations.latency_ms;
  EXPECT_EQ(latency[0], number(expected["first_ms"]));
  EXPECT_EQ(latency[count - 1], number(expected["last_ms"]));
  std::vector<double> sorted(latency.values().begin(), latency.values().end());
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted.front(), number(expected["min_ms"]));
  EXPECT_EQ(sorted.back(), number(expected["max_ms"]));
  const std::vector<double> theirs = numbers(expected["numpy_linear_p50_p90_p95_p99_ms"]);
  ASSERT_EQ(theirs.size(), 4u);
  EXPECT_DOUBLE_EQ(base::quantile(sorted, 0.50), theirs[0]);
  EXPECT_DOUBLE_EQ(base::quantile(sorted, 0.90), theirs[1]);
  EXPECT_DOUBLE_EQ(base::quantile(sorted, 0.95), theirs[2]);
  EXPECT_DOUBLE_EQ(base::quantile(sorted, 0.99), theirs[3]);
  // In all of these sets the latency is the compute time, so end-to-end has the same figures.
  ASSERT_TRUE(summary_.time.end_to_end);
  const analyze::EndToEnd& ours = *summary_.time.end_to_end;
  EXPECT_EQ(ours.source, "times");
  EXPECT_EQ(ours.field, "compute");
  EXPECT_EQ(ours.count, integer(expected["n"]));
  EXPECT_EQ(ours.min_ms, number(expected["min_ms"]));
  EXPECT_EQ(ours.max_ms, number(expected["max_ms"]));
  // NumPy adds pairwise, we add in order.
  EXPECT_NEAR(*ours.mean_ms, number(expected["mean_ms"]), 1e-12);
  EXPECT_DOUBLE_EQ(*ours.median_ms, theirs[0]);
  EXPECT_DOUBLE_EQ(*ours.p90_ms, theirs[1]);
  EXPECT_DOUBLE_EQ(*ours.p95_ms, theirs[2]);
  EXPECT_DOUBLE_EQ(*ours.p99_ms, theirs[3]);
}

// All metadata rows of one key, from any section.
std::vector<std::string> metadata_values(const PlanModel& model, std::string_view section,
                                         std::string_view key) {
  std::vector<std::string> values;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) == section &&
        model.text(model.metadata.key[row]) == key) {
      values.emplace_back(model.text(model.metadata.value[row]));
    }
  }
  return values;
}

TEST_P(TrexValues, Metadata) {
  std::size_t checked = 0;
  const auto one_of = [&](const std::vector<std::string>& sections, std::string_view key) {
    std::vector<std::string> values;
    for (const std::string& section : sections) {
      for (std::string& value : metadata_values(*model_, section, key)) {
        values.push_back(std::move(value));
      }
    }
    return values;
  };
  const auto check = [&](std::string_view object, const std::vector<std::string>& sections) {
    if (!has(expected_, object) || at(object).is_null()) return;
    for (const auto [key, value] : dom::object(at(object))) {
      SCOPED_TRACE(format("{}: {}", object, key));
      const std::vector<std::string> ours = one_of(sections, key);
      ASSERT_FALSE(ours.empty());
      ++checked;
      dom::parser parser;
      if (value.is_array()) {
        dom::element list;
        ASSERT_EQ(parser.parse(ours.front()).get(list), simdjson::SUCCESS);
        EXPECT_EQ(numbers(list), numbers(value));
      } else if (value.is_string()) {
        EXPECT_THAT(ours, ::testing::Contains(text(value)));
      } else {
        // DIFFERS: TREx turns the numbers at the start of texts into floats; we keep what is
        // written.
        EXPECT_THAT(ours, ::testing::Contains(::testing::ResultOf(
                              [](const std::string& s) { return std::stod(s); }, number(value))));
      }
    }
  };
  check("performance_summary", {"performance_summary"});
  check("builder_cfg", {"model_options", "build_options"});
  check("device_properties", {"device_information", "device_properties"});
  if (has(expected_, "device_properties") && has(at("device_properties"), "Selected Device")) {
    EXPECT_EQ(model_->text(model_->engine.device[0]),
              text(at("device_properties")["Selected Device"]));
    EXPECT_GT(checked, 10u);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, TrexValues, ::testing::ValuesIn(kReadableEngines), test_name);

// TREx reads no dictionary of samples, so the file itself is what we check against.
TEST(ProfileSamples, StatisticsOfEveryLayer) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = must(load_engine(data, "mobilenetv2-trt10.1-fp16"));
  dom::parser parser;
  dom::element samples;
  ASSERT_EQ(
      parser.load(data + "/engines/mobilenetv2-trt10.1-fp16/trt_layer_latency.json").get(samples),
      simdjson::SUCCESS);
  std::size_t timed = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const std::string name(model.text(model.layers.name[row]));
    dom::element list;
    if (samples.at_key(name).get(list) != simdjson::SUCCESS) {
      EXPECT_FALSE(model.layers.mean_ms.get(row)) << name;
      continue;
    }
    ++timed;
    std::vector<double> sorted = numbers(list);
    std::ranges::sort(sorted);
    const std::size_t half = sorted.size() / 2;
    const double median =
        sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    double sum = 0;
    for (const double sample : sorted) sum += sample;
    EXPECT_EQ(model.layers.count[row], static_cast<std::int64_t>(sorted.size()));
    EXPECT_NEAR(model.layers.total_ms[row], sum, 1e-9);
    EXPECT_NEAR(model.layers.mean_ms[row], sum / static_cast<double>(sorted.size()), 1e-12);
    EXPECT_DOUBLE_EQ(model.layers.median_ms[row], median);
    EXPECT_EQ(model.layers.min_ms[row], sorted.front());
    EXPECT_EQ(model.layers.max_ms[row], sorted.back());
  }
  EXPECT_EQ(timed, dom::object(samples).size());
}

}  // namespace
}  // namespace planex::test
