#include "drive/openvino_driver/json_files.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

#include "base/utf8.h"
#include "planex/version.h"

namespace planex::drive {
namespace {

// Shortcuts for what every file contains again and again: key, then value.
template <typename Writer>
class Json {
 public:
  explicit Json(rapidjson::StringBuffer& buffer) : writer_(buffer) {}

  Writer& raw() { return writer_; }
  void key(std::string_view name) {
    writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  void value(std::string_view text) {
    const std::string valid = base::valid_utf8(text);
    writer_.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
  }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool flag) { writer_.Bool(flag); }
  void value(int number) { writer_.Int(number); }
  void value(std::int64_t number) { writer_.Int64(number); }
  void value(std::uint64_t number) { writer_.Uint64(number); }
  // Nanoseconds are the last meaningful digit in milliseconds.
  void value(double number) {
    if (!std::isfinite(number)) {
      writer_.Null();
    } else {
      writer_.Double(std::round(number * 1e6) / 1e6);
    }
  }
  template <typename T>
  void value(const std::optional<T>& maybe) {
    if (maybe) {
      value(*maybe);
    } else {
      writer_.Null();
    }
  }
  template <typename T>
  void value(const std::vector<T>& list) {
    writer_.StartArray();
    for (const T& item : list) value(item);
    writer_.EndArray();
  }
  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  void open_object(std::string_view name) {
    key(name);
    writer_.StartObject();
  }
  void open_array(std::string_view name) {
    key(name);
    writer_.StartArray();
  }

 private:
  Writer writer_;
};

using Pretty = Json<rapidjson::PrettyWriter<rapidjson::StringBuffer>>;
using Line = Json<rapidjson::Writer<rapidjson::StringBuffer>>;

// Writes one document: one line per field, short arrays on one line.
template <typename Body>
std::string document(Body body) {
  rapidjson::StringBuffer buffer;
  Pretty json(buffer);
  json.raw().SetIndent(' ', 1);
  json.raw().SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.raw().StartObject();
  body(json);
  json.raw().EndObject();
  std::string text(buffer.GetString(), buffer.GetSize());
  text += '\n';
  return text;
}

template <typename Body>
std::string line(Body body) {
  rapidjson::StringBuffer buffer;
  Line json(buffer);
  json.raw().StartObject();
  body(json);
  json.raw().EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

void write_engine(Pretty& json, const Options& options, const RunFacts& facts) {
  json.open_object("engine");
  json.field("name", options.name);
  json.field("producer", "openvino");
  json.field("producer_version", facts.runtime_version);
  json.field("driver_version", PLANEX_VERSION);
  json.field("device", facts.device);
  json.field("isa", facts.isa);
  json.key("isa_limit");
  facts.isa_limit.empty() ? static_cast<void>(json.raw().Null()) : json.value(facts.isa_limit);
  json.field("capabilities", facts.capabilities);
  json.field("precision", options.precision);
  json.field("precision_used", facts.precision);
  json.field("threads", options.threads);
  json.field("streams", facts.streams);
  json.raw().EndObject();
}

void write_model_ports(Pretty& json, std::string_view name, const std::vector<ModelPort>& ports) {
  json.open_array(name);
  for (const ModelPort& port : ports) {
    json.raw().StartObject();
    json.field("name", port.names.front());
    json.field("names", port.names);
    json.field("dims", port.dims);
    json.field("element_type", port.element_type);
    json.raw().EndObject();
  }
  json.raw().EndArray();
}

void write_ports(Pretty& json, std::string_view name, const std::vector<PlanPort>& ports,
                 bool with_constant) {
  json.open_array(name);
  for (const PlanPort& port : ports) {
    json.raw().StartObject();
    json.field("tensor", port.tensor);
    json.field("dims", port.dims);
    json.field("element_type", port.element_type);
    json.field("layout", port.layout);
    if (with_constant) json.field("constant", port.is_constant);
    json.raw().EndObject();
  }
  json.raw().EndArray();
}

void write_sources(Pretty& json, const PlanLayer& layer, const SourceTable& sources) {
  json.open_array("sources");
  for (const SourceReference& reference : layer.sources.references) {
    const SourceOperation& source = sources.operations[reference.index];
    json.raw().StartObject();
    json.field("op_name", source.name);
    json.field("op_type", source.type);
    json.field("evidence",
               reference.evidence == SourceEvidence::kProvenance ? "provenance" : "name");
    json.raw().EndObject();
  }
  json.raw().EndArray();
}

void write_weights(Pretty& json, const std::vector<PlanWeight>& weights) {
  json.open_array("weights");
  for (const PlanWeight& weight : weights) {
    json.raw().StartObject();
    json.field("name", weight.name);
    json.field("dims", weight.dims);
    json.field("element_type", weight.element_type);
    json.field("bytes", weight.bytes);
    json.raw().EndObject();
  }
  json.raw().EndArray();
}

void write_layer(Pretty& json, const PlanLayer& layer, const SourceTable& sources) {
  json.raw().StartObject();
  json.field("name", layer.name);
  json.field("role", layer.role);
  json.field("layer_type", layer.layer_type);
  json.field("primitive_type", layer.primitive_type);
  json.field("exec_order", layer.exec_order);
  json.field("runtime_precision", layer.runtime_precision);
  json.field("output_precisions", layer.output_precisions);
  json.field("output_layouts", layer.output_layouts);
  if (layer.are_port_types_uncertain) json.field("port_types_uncertain", true);
  write_ports(json, "inputs", layer.inputs, true);
  write_ports(json, "outputs", layer.outputs, false);
  write_sources(json, layer, sources);
  if (!layer.sources.unresolved.empty()) {
    json.field("unresolved_sources", layer.sources.unresolved);
  }
  write_weights(json, layer.weights);
  if (layer.parameters_from) {
    json.open_object("parameters");
    for (const auto& [name, value] : layer.parameters) {
      json.key(name);
      std::visit([&](const auto& content) { json.value(content); }, value);
    }
    json.raw().EndObject();
    json.field("parameters_from", sources.operations[*layer.parameters_from].name);
  }
  json.field("macs", layer.macs);
  if (!layer.macs_note.empty()) json.field("macs_note", layer.macs_note);
  if (!layer.other_info.empty()) {
    json.open_object("rt_info");
    for (const auto& [key, value] : layer.other_info) json.field(key, value);
    json.raw().EndObject();
  }
  json.raw().EndObject();
}

std::string_view kind_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kNotFound:
      return "not-found";
    case ErrorCode::kBadInput:
      return "bad-input";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kIo:
      return "io";
    default:
      return "tool";
  }
}

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return std::nan("");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void write_statistics(Pretty& json, const std::vector<double>& values) {
  json.field("median_ms", values.empty() ? std::nan("") : median_of(values));
  json.field("mean_ms", mean_of(values));
  json.field("min_ms", values.empty() ? std::nan("") : std::ranges::min(values));
  json.field("max_ms", values.empty() ? std::nan("") : std::ranges::max(values));
}

}  // namespace

std::string graph_json(const Options& options, const RunFacts& facts, const ExecutionPlan& plan,
                       const SourceTable& sources, const std::optional<Profile>& profile) {
  return document([&](Pretty& json) {
    json.field("schema", "planex.openvino-graph/1");
    write_engine(json, options, facts);
    write_model_ports(json, "inputs", plan.inputs);
    write_model_ports(json, "outputs", plan.outputs);
    json.open_array("layers");
    for (const PlanLayer& layer : plan.layers) write_layer(json, layer, sources);
    json.raw().EndArray();
    json.open_array("fused");
    if (profile) {
      for (const LayerTimes& operation : profile->fused) {
        json.raw().StartObject();
        json.field("name", operation.name);
        json.field("type", operation.layer_type);
        json.raw().EndObject();
      }
    }
    json.raw().EndArray();
  });
}

std::string profile_json(const Profile& profile, const ExecutionPlan& plan) {
  // In the order of the plan; names that the plan does not contain come last.
  std::map<std::string_view, std::size_t> order;
  for (std::size_t i = 0; i < plan.layers.size(); ++i) order.emplace(plan.layers[i].name, i);
  const auto position = [&](const LayerTimes* layer) {
    const auto found = order.find(layer->name);
    return found == order.end() ? plan.layers.size() : found->second;
  };
  std::vector<const LayerTimes*> sorted;
  for (const LayerTimes& layer : profile.layers) {
    const auto found = order.find(layer.name);
    const bool is_constant = found != order.end() && plan.layers[found->second].role == "constant";
    if (!is_constant) sorted.push_back(&layer);
  }
  std::ranges::stable_sort(sorted, {}, position);

  return document([&](Pretty& json) {
    json.field("schema", "planex.openvino-profile/1");
    json.field("method", "import-rounds");
    json.field("rounds", profile.rounds);
    json.field("warmup", profile.warmup);
    json.field("iterations_per_round", profile.iterations);
    json.field("resolution_us", 1);
    double sum = 0;
    for (const LayerTimes* layer : sorted) sum += median_of(layer->samples_ms);
    json.field("sum_median_ms", sum);
    json.open_object("profiled_latency");
    json.field("count", static_cast<std::uint64_t>(profile.latencies_ms.size()));
    write_statistics(json, profile.latencies_ms);
    json.raw().EndObject();
    json.open_array("layers");
    for (const LayerTimes* layer : sorted) {
      json.raw().StartObject();
      json.field("name", layer->name);
      json.field("in_graph", order.contains(layer->name));
      write_statistics(json, layer->samples_ms);
      json.field("samples_ms", layer->samples_ms);
      json.raw().EndObject();
    }
    json.raw().EndArray();
  });
}

std::string times_json(const Options& options, const Times& times,
                       const std::optional<Profile>& profile) {
  return document([&](Pretty& json) {
    json.field("schema", "planex.times/1");
    json.field("count", static_cast<std::uint64_t>(times.timed.size()));
    json.field("warmup_count", static_cast<std::uint64_t>(times.warmup.size()));
    json.field("origin_monotonic_ns", times.origin_monotonic_ns);
    json.field("wall_ms", times.costs.wall_ms);
    json.field("cpu_ms", times.costs.cpu_ms);
    json.field("involuntary_switches", times.costs.involuntary_switches);
    json.field("thread_count", options.threads);
    if (const auto& throughput = times.throughput) {
      json.field("throughput_per_s",
                 static_cast<double>(throughput->count) * 1000 / throughput->wall_ms);
      json.field("throughput_requests", throughput->requests);
      json.field("throughput_count", throughput->count);
      json.field("throughput_wall_ms", throughput->wall_ms);
    }
    json.open_object("columns");
    const auto column = [&](std::string_view name, double Iteration::* member) {
      json.open_array(name);
      for (const Iteration& iteration : times.timed) json.value(iteration.*member);
      json.raw().EndArray();
    };
    column("start_ms", &Iteration::start_ms);
    column("latency_ms", &Iteration::latency_ms);
    json.raw().EndObject();
    json.open_array("warmup_latency_ms");
    for (const Iteration& iteration : times.warmup) json.value(iteration.latency_ms);
    json.raw().EndArray();
    if (profile) json.field("profiled_latency_ms", profile->latencies_ms);
  });
}

std::string result_json(const Options& options, const RunFacts& facts, const ExecutionPlan& plan) {
  return document([&](Pretty& json) {
    json.field("schema", "planex.openvino-result/1");
    write_engine(json, options, facts);
    json.field("model", options.model);
    json.field("seed", options.seed);
    write_model_ports(json, "inputs", plan.inputs);
    json.field("read_ms", facts.read_ms);
    json.field("compile_ms", facts.compile_ms);
    json.field("import_ms", facts.export_import_ms);
    json.open_object("config");
    for (const auto& [key, value] : facts.config) json.field(key, value);
    json.raw().EndObject();
    json.field("notes", facts.notes);
  });
}

std::string error_json(std::string_view phase, const Error& error) {
  return line([&](Line& json) {
    json.field("schema", "planex.driver-error/1");
    json.field("kind", kind_of(error.code));
    json.field("phase", phase);
    json.field("message", error.message);
    if (!error.context.empty()) json.field("context", error.context);
    if (!error.hint.empty()) json.field("hint", error.hint);
    if (!error.file.empty()) json.field("file", error.file);
    if (!error.json_pointer.empty()) json.field("json_pointer", error.json_pointer);
    if (error.byte_offset) json.field("byte_offset", *error.byte_offset);
  });
}

std::string progress_json(std::string_view phase, double done) {
  return line([&](Line& json) {
    json.field("phase", phase);
    json.field("done", done);
  });
}

}  // namespace planex::drive
