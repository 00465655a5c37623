#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "quantize/advice.h"
#include "quantize/symmetric.h"

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;
using onnx::NewTensor;
using onnx::Reader;

// A scale and its zero point as they are stored.
struct StoredScale {
  NewTensor scale;
  std::optional<NewTensor> zero_point;
  std::int64_t axis = 1;
};

float first_scale(const ExistingPair& pair) {
  return pair.scale.bits.empty() ? 0 : std::bit_cast<float>(pair.scale.bits.front());
}

std::string raw_of(float value) {
  std::string bytes(sizeof(float), '\0');
  std::memcpy(bytes.data(), &value, sizeof(float));
  return bytes;
}

class Applier {
 public:
  Applier(const onnx::Model& model, const onnx::Links& links, const Existing& existing,
          const std::map<std::string, float, std::less<>>& scales, onnx::Values& values,
          onnx::Edit& edit)
      : model_(model),
        links_(links),
        existing_(existing),
        scales_(scales),
        values_(values),
        edit_(edit),
        names_(model, edit) {}

  Result<std::size_t> apply(const std::vector<Advice>& advice) {
    for (const Advice& one : advice) {
      is_symmetric_ = is_symmetric_ || one.is_symmetric;
      if (one.action == Action::kUnsigned || one.is_unsigned) {
        is_from_zero_[one.tensor] = one.is_from_zero;
      }
      if (one.action == Action::kScalarScale || one.action == Action::kSymmetric) {
        given_again_.insert(one.pairs.begin(), one.pairs.end());
      }
      if (one.action != Action::kShareScale) continue;
      for (const std::size_t pair : one.pairs) {
        shared_[existing_.pairs[pair].tensor] = largest(one.pairs);
      }
    }
    std::size_t count = 0;
    for (const Advice& one : advice) {
      PLANEX_ASSIGN(const bool is_applied, apply(one));
      if (is_applied) ++count;
    }
    remove_unread();
    return count;
  }

 private:
  Result<bool> apply(const Advice& advice) {
    switch (advice.action) {
      case Action::kAdd:
        return advice.scale == ScaleSource::kFromData ? calibrated(advice) : joined(advice);
      case Action::kMerge:
        return joined(advice);
      case Action::kMove: {
        PLANEX_ASSIGN(const bool is_moved, paired(advice, largest(advice.pairs), advice.readers));
        if (!is_moved) return false;
        for (const std::size_t pair : advice.pairs) {
          const ExistingPair& one = existing_.pairs[pair];
          for (const Reader& reader : one.readers) set_input(reader, std::string(one.tensor));
        }
        return true;
      }
      case Action::kRemove:
        for (const Reader& reader : advice.readers) {
          set_input(reader, std::string(existing_.pairs[advice.pairs.front()].tensor));
        }
        return true;
      case Action::kShareScale:
        return rescaled(advice);
      case Action::kUnsigned:
        return made_unsigned(advice);
      case Action::kScalarScale:
        return given_again(advice);
      case Action::kSymmetric:
        return advice.weights.empty() ? given_again(advice) : made_symmetric(advice);
      case Action::kFloatBias:
        return made_float(advice);
    }
    return false;
  }

  std::size_t largest(const std::vector<std::size_t>& pairs) const {
    return *std::ranges::max_element(
        pairs, {}, [&](std::size_t pair) { return first_scale(existing_.pairs[pair]); });
  }

  // Readers read the first of the pairs where it is before them and has the scale; else a new one.
  Result<bool> joined(const Advice& advice) {
    const std::size_t kept = advice.pairs.front(), scale = largest(advice.pairs);
    const ExistingPair& pair = existing_.pairs[kept];
    const Index first = first_of(advice.readers);
    if (pair.tensor == advice.tensor && pair.dequantizer < first &&
        pair.scale.bits == existing_.pairs[scale].scale.bits) {
      for (const Reader& reader : advice.readers) set_input(reader, std::string(pair.output));
      return true;
    }
    std::vector<Reader> readers = advice.readers;
    for (const std::size_t other : advice.pairs) {
      if (existing_.pairs[other].tensor != advice.tensor) continue;
      for (const Reader& reader : existing_.pairs[other].readers) readers.push_back(reader);
    }
    return paired(advice, scale, readers);
  }

  Result<bool> calibrated(const Advice& advice) {
    const auto found = scales_.find(advice.tensor);
    if (found == scales_.end()) return false;
    // With uint8 all values are above 0 there.
    const float range = advice.is_unsigned && advice.is_from_zero ? 127.0F / 255.0F : 1.0F;
    StoredScale stored{
        .scale = {.name = {},
                  .type = onnx::DataType::kFloat,
                  .dims = {},
                  .raw = raw_of(found->second * range)},
        .zero_point = NewTensor{
            .name = {}, .type = onnx::DataType::kInt8, .dims = {}, .raw = std::string(1, '\0')}};
    if (advice.is_unsigned) make_unsigned(*stored.zero_point, advice.is_from_zero);
    if (advice.takes_name) {
      add_output_pair(std::string(advice.tensor), std::move(stored));
    } else {
      add_pair(std::string(advice.tensor), std::move(stored), advice.readers);
    }
    return true;
  }

  // A new pair with the scale of another. False where that scale is computed.
  Result<bool> paired(const Advice& advice, std::size_t like, const std::vector<Reader>& readers) {
    if (const auto shared = shared_.find(advice.tensor); shared != shared_.end()) {
      like = shared->second;
    }
    const ExistingScale& scale = existing_.pairs[like].scale;
    if (scale.scale == kNoIndex) return false;
    PLANEX_ASSIGN(StoredScale stored, scale_for(advice.tensor, scale));
    add_pair(std::string(advice.tensor), std::move(stored), readers);
    return true;
  }

  // A copy; one value becomes a scalar, which all targets accept and one requires.
  Result<StoredScale> scale_for(std::string_view tensor, const ExistingScale& scale) {
    StoredScale stored{.scale = {}, .zero_point = {}, .axis = scale.axis};
    PLANEX_ASSIGN(stored.scale, copy_of(scale.scale));
    if (scale.zero_point != kNoIndex) {
      PLANEX_ASSIGN(stored.zero_point, copy_of(scale.zero_point));
    }
    if (is_symmetric_ && !is_symmetric(scale) && stored.zero_point && !scale.bits.empty()) {
      stored.scale.raw = symmetric_scales(scale);
      stored.zero_point->type = onnx::DataType::kInt8;
      std::ranges::fill(stored.zero_point->raw, '\0');
    }
    if (const auto found = is_from_zero_.find(tensor);
        stored.zero_point && found != is_from_zero_.end()) {
      make_unsigned(*stored.zero_point, found->second);
    }
    if (scale.bits.size() == 1) {
      stored.scale.dims.clear();
      if (stored.zero_point) stored.zero_point->dims.clear();
    }
    return stored;
  }

  // From int8, with the same values: QuantizeLinear adds the zero point. From zero: only the values
  // that are not below it, and more above.
  static void make_unsigned(NewTensor& zero_point, bool is_from_zero) {
    constexpr char kMiddle = '\x80';
    const bool is_signed = zero_point.type == onnx::DataType::kInt8;
    if (!is_signed && zero_point.type != onnx::DataType::kUint8) return;
    zero_point.type = onnx::DataType::kUint8;
    if (is_from_zero) zero_point.raw.assign(zero_point.raw.size(), '\0');
    if (is_from_zero || !is_signed) return;
    for (char& value : zero_point.raw) value = static_cast<char>(value + kMiddle);
  }

  Result<NewTensor> copy_of(Index tensor) {
    const onnx::Tensor& source = model_.tensors[tensor];
    const auto dims = model_.dims_of(source);
    NewTensor copy{.name = {}, .type = source.type, .dims = {dims.begin(), dims.end()}, .raw = {}};
    PLANEX_ASSIGN(copy.raw, values_.raw(source));
    return copy;
  }

  // Q and DQ in front of a node; returns what DQ writes.
  std::string insert_pair(const std::string& tensor, const std::string& source, StoredScale stored,
                          Index before, std::string written) {
    stored.scale.name = names_.take(tensor + ".scale");
    std::vector<std::string> taken = {stored.scale.name};
    if (stored.zero_point) {
      stored.zero_point->name = names_.take(tensor + ".zero_point");
      taken.push_back(stored.zero_point->name);
      edit_.add_initializer(*std::move(stored.zero_point));
    }
    const bool has_axis = !stored.scale.dims.empty();
    edit_.add_initializer(std::move(stored.scale));
    const auto node = [&](std::string type, const std::string& input, std::string output) {
      onnx::NewNode made{.op_type = type,
                         .domain = {},
                         .name = names_.take(tensor + "." + type),
                         .inputs = {input},
                         .outputs = {output},
                         .attributes = {}};
      made.inputs.insert(made.inputs.end(), taken.begin(), taken.end());
      if (has_axis) made.attributes.push_back({.name = "axis", .value = stored.axis});
      edit_.insert_node(before, std::move(made));
      return output;
    };
    const std::string small = node("QuantizeLinear", source, names_.take(tensor + ".quantized"));
    if (written.empty()) written = names_.take(tensor + ".dequantized");
    return node("DequantizeLinear", small, std::move(written));
  }

  void add_pair(const std::string& tensor, StoredScale stored, const std::vector<Reader>& readers) {
    const std::string made = insert_pair(tensor, tensor, std::move(stored), first_of(readers), {});
    for (const Reader& reader : readers) set_input(reader, made);
  }

  // Everything that reads the tensor by its name reads what DQ writes.
  void add_output_pair(const std::string& tensor, StoredScale stored) {
    const Index maker = links_.find(tensor)->node;
    std::uint32_t place = 0;
    for (const std::string_view made : model_.outputs_of(model_.nodes[maker])) {
      if (made == tensor) break;
      ++place;
    }
    const std::string source = names_.take(tensor + ".float");
    edit_.set_output(maker, place, source);
    const Index behind = maker + 1;
    const bool is_last = behind >= model_.graphs.front().nodes.count;
    insert_pair(tensor, source, std::move(stored), is_last ? kNoIndex : behind, tensor);
  }

  Result<bool> rescaled(const Advice& advice) {
    const std::size_t like = largest(advice.pairs);
    if (existing_.pairs[like].scale.scale == kNoIndex) return false;
    PLANEX_ASSIGN(NewTensor scale, copy_of(existing_.pairs[like].scale.scale));
    scale.name = names_.take(std::string(advice.tensor) + ".shared_scale");
    for (const std::size_t pair : advice.pairs) {
      if (given_again_.contains(pair)) continue;  // which knows the shared scale
      set_input({existing_.pairs[pair].quantizer, 1}, scale.name);
      set_input({existing_.pairs[pair].dequantizer, 1}, scale.name);
    }
    edit_.add_initializer(std::move(scale));
    return true;
  }

  Result<bool> made_unsigned(const Advice& advice) {
    for (const std::size_t pair : advice.pairs) {
      const ExistingPair& one = existing_.pairs[pair];
      PLANEX_ASSIGN(NewTensor zero, copy_of(one.scale.zero_point));
      make_unsigned(zero, advice.is_from_zero);
      give_zero_point(one, std::move(zero));
      forget_type(one);
    }
    return true;
  }

  // As a scalar, around 0, or both.
  Result<bool> given_again(const Advice& advice) {
    for (const std::size_t pair : advice.pairs) {
      const ExistingPair& one = existing_.pairs[pair];
      const auto shared = shared_.find(one.tensor);
      const std::size_t like = shared == shared_.end() ? pair : shared->second;
      PLANEX_ASSIGN(StoredScale stored, scale_for(one.tensor, existing_.pairs[like].scale));
      stored.scale.name = names_.take(std::string(one.tensor) + ".scale");
      give(one, 1, std::move(stored.scale));
      if (!stored.zero_point) continue;
      if (stored.zero_point->type != model_.tensors[one.scale.zero_point].type) forget_type(one);
      give_zero_point(one, *std::move(stored.zero_point));
    }
    return true;
  }

  // The declared type of what the quantizer writes is no longer true.
  void forget_type(const ExistingPair& pair) {
    const auto integers = model_.outputs_of(model_.nodes[pair.quantizer]);
    if (!integers.empty()) edit_.remove_value_info(integers.front());
  }

  Result<bool> made_symmetric(const Advice& advice) {
    const ExistingWeight& weight = existing_.weights[advice.weights.front()];
    PLANEX_ASSIGN(std::optional<SymmetricWeight> made, symmetric_weight(model_, weight, values_));
    if (!made) return false;
    std::uint32_t input = 0;
    for (NewTensor* tensor : {&made->integers, &made->scale, &made->zero_point}) {
      constexpr std::string_view kEndings[] = {".int8", ".scale", ".zero_point"};
      tensor->name = names_.take(std::string(weight.name) + std::string(kEndings[input]));
      set_input({weight.dequantizer, input++}, tensor->name);
      edit_.add_initializer(std::move(*tensor));
    }
    unread_names_.insert(weight.name);
    return true;
  }

  Result<bool> made_float(const Advice& advice) {
    const ExistingWeight& weight = existing_.weights[advice.weights.front()];
    PLANEX_ASSIGN(std::optional<NewTensor> made, float_bias(model_, weight, values_));
    if (!made) return false;
    made->name = names_.take(std::string(weight.name) + ".float");
    for (const Reader& reader : advice.readers) set_input(reader, made->name);
    edit_.add_initializer(*std::move(made));
    unread_.insert(weight.dequantizer);
    return true;
  }

  void give_zero_point(const ExistingPair& pair, NewTensor zero) {
    zero.name = names_.take(std::string(pair.tensor) + ".zero_point");
    give(pair, 2, std::move(zero));
  }

  // The Q and the DQ of a pair take a new constant as this input.
  void give(const ExistingPair& pair, std::uint32_t input, NewTensor constant) {
    set_input({pair.quantizer, input}, constant.name);
    set_input({pair.dequantizer, input}, constant.name);
    edit_.add_initializer(std::move(constant));
  }

  static Index first_of(const std::vector<Reader>& readers) {
    return std::ranges::min(readers, {}, &Reader::node).node;
  }

  void set_input(const Reader& reader, std::string name) {
    edit_.set_input(reader.node, reader.input, name);
    inputs_[{reader.node, reader.input}] = std::move(name);
  }

  // Whether a node outside `removed` still reads what a node writes.
  bool is_read(std::string_view name, const std::set<Index>& removed) const {
    const onnx::Link* link = links_.find(name);
    if (link == nullptr) return false;
    if (link->is_output || link->is_captured) return true;
    // By a node that did not read it before.
    const auto takes_it = [&](const auto& changed) {
      return changed.second == name && !removed.contains(changed.first.first);
    };
    if (std::ranges::any_of(inputs_, takes_it)) return true;
    return std::ranges::any_of(link->readers, [&](const Reader& reader) {
      if (removed.contains(reader.node)) return false;
      const auto changed = inputs_.find({reader.node, reader.input});
      return changed == inputs_.end() || changed->second == name;
    });
  }

  // Pairs that nothing reads any more, and their scales.
  void remove_unread() {
    std::set<Index> removed;
    const auto look = [&](Index node) {
      const auto outputs = model_.outputs_of(model_.nodes[node]);
      if (removed.contains(node) || outputs.empty() || is_read(outputs.front(), removed)) return;
      removed.insert(node);
      edit_.remove_node(node);
      edit_.remove_value_info(outputs.front());
    };
    // Later ones first, since pairs may follow one another.
    for (std::size_t i = existing_.pairs.size(); i-- > 0;) {
      look(existing_.pairs[i].dequantizer);
      look(existing_.pairs[i].quantizer);
    }
    for (const Index node : unread_) look(node);
    std::set<std::string_view> names = unread_names_;
    for (const Index node : removed) {
      const auto inputs = model_.inputs_of(model_.nodes[node]);
      names.insert(inputs.begin(), inputs.end());
    }
    for (const std::string_view name : names) {
      const onnx::Link* link = links_.find(name);
      if (link == nullptr || link->initializer == kNoIndex || link->is_input) continue;
      if (!is_read(name, removed)) edit_.remove_initializer(link->initializer);
    }
  }

  const onnx::Model& model_;
  const onnx::Links& links_;
  const Existing& existing_;
  const std::map<std::string, float, std::less<>>& scales_;
  onnx::Values& values_;
  onnx::Edit& edit_;
  onnx::FreshNames names_;
  std::map<std::pair<Index, std::uint32_t>, std::string> inputs_;  // inputs that were changed
  std::map<std::string_view, std::size_t> shared_;                 // tensor -> pair with its scale
  std::map<std::string_view, bool> is_from_zero_;                  // tensors that become uint8
  std::set<std::size_t> given_again_;        // pairs that get a new scale and zero point
  bool is_symmetric_ = false;                // the target accepts only int8 around 0
  std::set<Index> unread_;                   // dequantizers that may be left without readers
  std::set<std::string_view> unread_names_;  // initializers that may be
};

}  // namespace

Result<std::size_t> apply_advice(const onnx::Model& model, const onnx::Links& links,
                                 const Existing& existing, const std::vector<Advice>& advice,
                                 const std::map<std::string, float, std::less<>>& scales,
                                 onnx::Values& values, onnx::Edit& edit) {
  return Applier(model, links, existing, scales, values, edit).apply(advice);
}

}  // namespace planex::quantize
