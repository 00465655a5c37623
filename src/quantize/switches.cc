#include "quantize/switches.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::quantize {
namespace {

using onnx::Index;

class SwitchWriter {
 public:
  SwitchWriter(const ModelView& subject, const Existing& existing,
               const std::vector<FloatWeight>& weights, std::span<const Index> layers,
               onnx::Edit& edit)
      : model_(subject.model),
        links_(subject.links),
        existing_(existing),
        weights_(weights),
        layers_(layers),
        edit_(edit),
        names_(subject.model, edit) {
    for (std::size_t place = 0; place < layers.size(); ++place) places_[layers[place]] = place;
  }

  Result<Switches> run() {
    const auto rest = readers_of_rest();
    for (const auto& [pair, readers] : rest) owners_.push_back(owner_of(readers));
    const bool has_rest = std::ranges::find(owners_, layers_.size()) != owners_.end();
    Switches made{.input = names_.take("planex_switches"),
                  .count = layers_.size() + (has_rest ? 1 : 0),
                  .has_rest = has_rest};
    write_input(made);
    PLANEX_TRY(find_floats());
    for (const Index layer : layers_) write_layer(layer);
    auto owner = owners_.begin();
    for (const auto& [pair, readers] : rest) {
      write_rest(existing_.pairs[pair], readers, switches_[*owner++]);
    }
    return made;
  }

 private:
  // Of the pairs; an output of the graph keeps its pair.
  std::map<std::size_t, std::vector<onnx::Reader>> readers_of_rest() const {
    std::map<std::size_t, std::vector<onnx::Reader>> rest;
    for (std::size_t pair = 0; pair < existing_.pairs.size(); ++pair) {
      for (const onnx::Reader& reader : existing_.pairs[pair].readers) {
        if (!places_.contains(reader.node)) rest[pair].push_back(reader);
      }
    }
    return rest;
  }

  // Whose switch a pair has that other nodes read, such as a MaxPool in front of a layer: that of
  // the only layer that gets its values without another pair between; else that of the rest.
  std::size_t owner_of(const std::vector<onnx::Reader>& readers) const {
    std::vector<Index> open;
    for (const onnx::Reader& reader : readers) open.push_back(reader.node);
    std::set<Index> seen(open.begin(), open.end()), owners;
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      if (places_.contains(node)) {
        owners.insert(node);
        continue;
      }
      if (model_.nodes[node].op_type == "QuantizeLinear") continue;
      for (const std::string_view output : model_.outputs_of(model_.nodes[node])) {
        const onnx::Link* link = links_.find(output);
        if (link == nullptr) continue;
        if (link->is_output) return layers_.size();
        for (const onnx::Reader& reader : link->readers) {
          if (seen.insert(reader.node).second) open.push_back(reader.node);
        }
      }
    }
    return owners.size() == 1 ? places_.at(*owners.begin()) : layers_.size();
  }

  // Each switch as a tensor of one value.
  void write_input(const Switches& made) {
    edit_.add_input(
        {.name = made.input, .dims = std::vector{static_cast<std::int64_t>(made.count)}});
    onnx::NewNode split{.op_type = "Split",
                        .name = names_.take("planex_split"),
                        .inputs = {made.input},
                        .attributes = {{"axis", std::int64_t{0}}}};
    constexpr std::int64_t kOpsetOfCounts = 18;
    if (model_.graphs.front().opset >= kOpsetOfCounts) {
      split.attributes.push_back({"num_outputs", static_cast<std::int64_t>(made.count)});
    }
    for (std::size_t place = 0; place < made.count; ++place) {
      switches_.push_back(names_.take(base::format("planex_switch_{}", place)));
    }
    split.outputs = switches_;
    edit_.insert_node(0, std::move(split));
  }

  static Failure unsupported(std::string message) {
    return fail(ErrorCode::kUnsupported, std::move(message));
  }

  // The float tensors that layers read where they read a DQ now.
  Result<void> find_floats() {
    for (const ExistingPair& pair : existing_.pairs) {
      if (pair.scale.bits.empty()) {
        return unsupported(base::format("the scale of {} is not float32", pair.tensor));
      }
      for (const onnx::Reader& reader : pair.readers) {
        floats_[reader.node][reader.input] = pair.tensor;
      }
    }
    for (std::size_t place = 0; place < existing_.weights.size(); ++place) {
      const ExistingWeight& weight = existing_.weights[place];
      if (weight.readers.empty()) continue;
      const FloatWeight& values = weights_[place];
      const bool is_direct = std::ranges::all_of(weight.readers, [&](const onnx::Reader& reader) {
        return places_.contains(reader.node);
      });
      if (values.values.empty() || values.is_dequantized || weight.scale.bits.empty() ||
          !is_direct) {
        return unsupported(base::format("the float values of weight {} are unknown", weight.name));
      }
      const auto dims = model_.dims_of(model_.tensors[weight.tensor]);
      std::string name = names_.take(std::string(weight.name) + "_float");
      for (const onnx::Reader& reader : weight.readers) {
        floats_[reader.node][reader.input] = name;
      }
      edit_.add_initializer({.name = std::move(name),
                             .dims = {dims.begin(), dims.end()},
                             .raw = onnx::raw_of(values.values)});
    }
    return {};
  }

  // A copy of the layer, which writes a tensor of its own.
  std::string write_copy(Index layer, std::vector<std::string> inputs, std::string_view ending) {
    const onnx::Node& node = model_.nodes[layer];
    const std::string output(model_.outputs_of(node).front());
    onnx::NewNode copy{.op_type = std::string(node.op_type),
                       .domain = std::string(node.domain),
                       .name = names_.take(output + std::string(ending) + "_node"),
                       .inputs = std::move(inputs),
                       .outputs = {names_.take(output + std::string(ending))}};
    for (const onnx::Attribute& attribute : model_.attributes_of(node)) {
      copy.attributes.push_back(
          {std::string(attribute.name), onnx::CopiedAttribute{std::string(attribute.body)}});
    }
    std::string made = copy.outputs.front();
    edit_.insert_node(layer, std::move(copy));
    return made;
  }

  // OUTPUT = off + switch * (on - off), in front of a node.
  void write_choice(Index before, const std::string& off, const std::string& on,
                    const std::string& choice, std::string output) {
    const std::string difference = names_.take(output + "_difference");
    const std::string switched = names_.take(output + "_switched");
    const auto add = [&](std::string op_type, std::vector<std::string> inputs, std::string made) {
      edit_.insert_node(before, {.op_type = std::move(op_type),
                                 .name = names_.take(made + "_node"),
                                 .inputs = std::move(inputs),
                                 .outputs = {made}});
    };
    add("Sub", {on, off}, difference);
    add("Mul", {difference, choice}, switched);
    add("Add", {off, switched}, std::move(output));
  }

  void write_layer(Index layer) {
    const onnx::Node& node = model_.nodes[layer];
    std::vector<std::string> quantized, floats;
    for (const std::string_view input : model_.inputs_of(node)) quantized.emplace_back(input);
    floats = quantized;
    for (const auto& [place, name] : floats_[layer]) floats[place] = name;
    const std::string off = write_copy(layer, std::move(floats), "_off");
    const std::string on = write_copy(layer, std::move(quantized), "_on");
    write_choice(layer, off, on, switches_[places_.at(layer)],
                 std::string(model_.outputs_of(node).front()));
    edit_.remove_node(layer);
  }

  void write_rest(const ExistingPair& pair, const std::vector<onnx::Reader>& readers,
                  const std::string& choice) {
    std::string name = names_.take(std::string(pair.output) + "_rest");
    for (const onnx::Reader& reader : readers) edit_.set_input(reader.node, reader.input, name);
    const Index first = std::ranges::min(readers, {}, &onnx::Reader::node).node;
    write_choice(first, std::string(pair.tensor), std::string(pair.output), choice,
                 std::move(name));
  }

  const onnx::Model& model_;
  const onnx::Links& links_;
  const Existing& existing_;
  const std::vector<FloatWeight>& weights_;
  std::span<const Index> layers_;
  onnx::Edit& edit_;
  onnx::FreshNames names_;
  std::map<Index, std::size_t> places_;
  std::vector<std::size_t> owners_;  // of the pairs that other nodes read: a place in layers_, or
                                     // its size
  std::vector<std::string> switches_;
  std::map<Index, std::map<std::uint32_t, std::string>> floats_;
};

}  // namespace

Result<Switches> add_switches(const ModelView& subject, const Existing& existing,
                              const std::vector<FloatWeight>& weights,
                              std::span<const onnx::Index> layers, onnx::Edit& edit) {
  return SwitchWriter(subject, existing, weights, layers, edit).run();
}

}  // namespace planex::quantize
