#include "drive/openvino_driver/running_model.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/result.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "drive/openvino_driver/openvino_error.h"
#include "drive/openvino_driver/small_float_rounding.h"

namespace planex::drive {
namespace {

using arrays::ElementType;
using OvType = ov::element::Type_t;

constexpr std::array<std::pair<ElementType, OvType>, 13> kTypes = {{
    {ElementType::kBool, OvType::boolean},
    {ElementType::kInt8, OvType::i8},
    {ElementType::kUint8, OvType::u8},
    {ElementType::kInt16, OvType::i16},
    {ElementType::kUint16, OvType::u16},
    {ElementType::kInt32, OvType::i32},
    {ElementType::kUint32, OvType::u32},
    {ElementType::kInt64, OvType::i64},
    {ElementType::kUint64, OvType::u64},
    {ElementType::kFloat16, OvType::f16},
    {ElementType::kBfloat16, OvType::bf16},
    {ElementType::kFloat32, OvType::f32},
    {ElementType::kFloat64, OvType::f64},
}};

double elapsed_ms(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

ov::AnyMap config_of(const InferenceModel& request, int threads) {
  ov::AnyMap config = {
      ov::hint::inference_precision(ov::element::f32),
      ov::inference_num_threads(threads),
      ov::num_streams(1),
      // Every process would pin to the first core.
      ov::hint::enable_cpu_pinning(false),
      ov::enable_profiling(false),
  };
  if (request.arithmetic != Arithmetic::kEngine) {
    // Otherwise activations before weights of 8 and 4 bits are quantized at run time.
    config.insert(ov::hint::dynamic_quantization_group_size(0));
  }
  // This name is not in OpenVINO's headers: without its low-precision transformations Q/DQ stay
  // unchanged.
  if (request.arithmetic == Arithmetic::kSimulated) config["LP_TRANSFORMS_MODE"] = "NO";
  for (const auto& [key, value] : request.config) config[key] = value;
  return config;
}

std::string any_name(const ov::Output<const ov::Node>& port) {
  // The smallest name, because the set's own order is that of a hash.
  const auto& names = port.get_names();
  return names.empty() ? std::string() : *std::ranges::min_element(names);
}

std::string dims_text(const ov::PartialShape& shape) {
  if (shape.rank().is_dynamic()) return "of unknown rank";
  std::string text;
  for (const ov::Dimension& dim : shape) {
    if (!text.empty()) text += 'x';
    text += dim.is_static() ? std::to_string(dim.get_length()) : "?";
  }
  return text.empty() ? "scalar" : text;
}

std::string input_list(const arrays::SampleIndex& samples) {
  std::vector<std::string> quoted;
  for (const arrays::SampleInput& input : samples.inputs)
    quoted.push_back(base::quoted(input.name));
  return base::join_words(std::vector<std::string_view>(quoted.begin(), quoted.end()));
}

Result<std::size_t> sample_input_of(const ov::Output<const ov::Node>& port,
                                    const arrays::SampleIndex& samples) {
  const auto& names = port.get_names();
  for (std::size_t i = 0; i < samples.inputs.size(); ++i) {
    if (names.contains(samples.inputs[i].name)) return i;
  }
  return fail(ErrorCode::kBadInput,
              base::format("the samples have no values for the model's input {}; they have {}",
                           base::quoted(any_name(port)), input_list(samples)),
              "The names must be those of the model's inputs.");
}

template <typename T>
void widen_values(const ov::Tensor& tensor, std::vector<float>& values) {
  const T* data = tensor.data<const T>();
  std::transform(data, data + tensor.get_size(), values.begin(),
                 [](T value) { return static_cast<float>(value); });
}

template <typename T>
void narrow_values(std::span<const float> values, ov::Tensor& tensor) {
  T* data = tensor.data<T>();
  std::ranges::transform(values, data, [](float value) { return static_cast<T>(value); });
}

bool is_real(const ov::element::Type& type) {
  return type == ov::element::f32 || type == ov::element::f64 || type == ov::element::f16 ||
         type == ov::element::bf16;
}

}  // namespace

ov::element::Type element_of(ElementType type) {
  return std::ranges::find(kTypes, type, &std::pair<ElementType, OvType>::first)->second;
}

std::optional<ElementType> element_of(const ov::element::Type& type) {
  const auto* found =
      std::ranges::find(kTypes, static_cast<OvType>(type), &std::pair<ElementType, OvType>::second);
  return found == kTypes.end() ? std::nullopt : std::optional(found->first);
}

Result<std::span<const float>> float_values(const ov::Tensor& tensor, std::vector<float>& scratch) {
  const std::size_t size = tensor.get_size();
  const auto type = static_cast<OvType>(tensor.get_element_type());
  if (type == OvType::f32) return std::span<const float>(tensor.data<const float>(), size);
  scratch.resize(size);
  switch (type) {
    case OvType::f64:
      widen_values<double>(tensor, scratch);
      break;
    case OvType::f16:
      widen_values<ov::float16>(tensor, scratch);
      break;
    case OvType::bf16:
      widen_values<ov::bfloat16>(tensor, scratch);
      break;
    case OvType::i64:
      widen_values<std::int64_t>(tensor, scratch);
      break;
    case OvType::i32:
      widen_values<std::int32_t>(tensor, scratch);
      break;
    case OvType::i16:
      widen_values<std::int16_t>(tensor, scratch);
      break;
    case OvType::i8:
      widen_values<std::int8_t>(tensor, scratch);
      break;
    case OvType::u64:
      widen_values<std::uint64_t>(tensor, scratch);
      break;
    case OvType::u32:
      widen_values<std::uint32_t>(tensor, scratch);
      break;
    case OvType::u16:
      widen_values<std::uint16_t>(tensor, scratch);
      break;
    case OvType::u8:
      widen_values<std::uint8_t>(tensor, scratch);
      break;
    case OvType::boolean:
      widen_values<char>(tensor, scratch);
      break;
    default:
      return fail(ErrorCode::kUnsupported, base::format("values of type {} can't be examined",
                                                        tensor.get_element_type().get_type_name()));
  }
  return std::span<const float>(scratch);
}

Result<InputShapes> RunningModel::connect(const ov::Model& model,
                                          const arrays::SampleIndex& samples) {
  InputShapes shapes;
  const auto inputs = model.inputs();
  for (std::size_t place = 0; place < inputs.size(); ++place) {
    const auto& port = inputs[place];
    PLANEX_ASSIGN(const std::size_t index, sample_input_of(port, samples));
    const arrays::SampleInput& input = samples.inputs[index];
    ov::PartialShape shape;
    for (const std::int64_t dim : input.shape) shape.push_back(dim);
    if (!port.get_partial_shape().compatible(shape)) {
      return fail(ErrorCode::kBadInput,
                  base::format("the model's input {} has shape {}, the samples have {}",
                               base::quoted(input.name), dims_text(port.get_partial_shape()),
                               arrays::shape_text(input.shape)),
                  "Prepare samples with the model's shape.");
    }
    if (port.get_partial_shape().is_dynamic()) shapes[place] = shape;
    Feed feed{.sample_input = index, .converted = {}};
    const ov::element::Type type = port.get_element_type();
    const ov::element::Type given = element_of(input.type);
    if (type != given) {
      if (!is_real(type) || !is_real(given)) {
        return fail(ErrorCode::kBadInput,
                    base::format("the model's input {} has type {}, the samples have {}",
                                 base::quoted(input.name), type.get_type_name(),
                                 arrays::to_string(input.type)));
      }
      feed.converted = ov::Tensor(type, shape.to_shape());
    }
    feeds_.push_back(std::move(feed));
  }
  return shapes;
}

// The taps that became outputs.
std::vector<std::string> RunningModel::add_taps(ov::Model& model,
                                                const std::vector<std::string>& taps) {
  const std::set<std::string_view> wanted(taps.begin(), taps.end());
  std::map<std::string, ov::Output<ov::Node>, std::less<>> found;
  for (const auto& node : model.get_ordered_ops()) {
    if (ov::is_type<ov::op::v0::Result>(node)) continue;
    for (const auto& port : node->outputs()) {
      for (const std::string& name : port.get_names()) {
        if (wanted.contains(name)) found.emplace(name, port);
      }
    }
  }
  std::vector<std::string> outputs;
  std::map<const ov::Node*, std::size_t> inputs;
  for (const auto& parameter : model.get_parameters()) {
    inputs.emplace(parameter.get(), inputs.size());
  }
  for (const std::string& name : taps) {
    if (places_.contains(name)) continue;
    const auto port = found.find(name);
    if (port == found.end()) {
      missing_taps_.push_back(name);
      continue;
    }
    ov::Node* node = port->second.get_node();
    if (const auto input = inputs.find(node); input != inputs.end()) {
      places_[name] = {.kind = Place::Kind::kInput, .index = input->second, .constant = {}};
    } else if (const auto* constant = ov::as_type<ov::op::v0::Constant>(node)) {
      // A copy: the model is released.
      const ov::Tensor& value = constant->get_tensor_view();
      ov::Tensor copy(value.get_element_type(), value.get_shape());
      value.copy_to(copy);
      places_[name] = {.kind = Place::Kind::kConstant, .index = 0, .constant = std::move(copy)};
    } else {
      model.add_output(port->second);
      places_[name] = {};
      outputs.push_back(name);
    }
  }
  return outputs;
}

// By name, never by order.
void RunningModel::find_outputs(const std::vector<std::string>& taps) {
  const auto outputs = compiled_.outputs();
  for (const std::string& name : taps) {
    const auto found = std::ranges::find_if(
        outputs, [&](const auto& port) { return port.get_names().contains(name); });
    if (found == outputs.end()) {
      places_.erase(name);
      missing_taps_.push_back(name);
    } else {
      places_[name].index = static_cast<std::size_t>(found - outputs.begin());
    }
  }
}

Result<std::unique_ptr<RunningModel>> RunningModel::compile(ov::Core& core, const ov::Model& source,
                                                            const InferenceModel& request,
                                                            const std::vector<std::string>& taps,
                                                            const arrays::SampleIndex& samples,
                                                            int threads) {
  std::unique_ptr<RunningModel> running(new RunningModel(request.path));
  const auto made = caught(request.path, [&]() -> Result<void> {
    const auto start = std::chrono::steady_clock::now();
    const std::shared_ptr<ov::Model> model = source.clone();
    auto shapes = running->connect(*model, samples);
    if (!shapes) {
      shapes.error().file = request.path;
      return fail(std::move(shapes).error());
    }
    running->own_outputs_ = model->outputs().size();
    if (request.arithmetic == Arithmetic::kSimulated) round_small_floats(*model);
    const std::vector<std::string> outputs = running->add_taps(*model, taps);
    // After the taps: while OpenVINO propagates shapes through a model it fuses some nodes, whose
    // tensors would be gone.
    if (!shapes->empty()) model->reshape(*shapes);
    running->compiled_ = core.compile_model(model, "CPU", config_of(request, threads));
    running->compile_ms_ = elapsed_ms(start);
    running->find_outputs(outputs);
    // Nodes that only pass values in or out are not layers.
    for (const auto& node : running->compiled_.get_runtime_model()->get_ordered_ops()) {
      const auto& info = node->get_rt_info();
      const auto type = info.find("layerType");
      const std::string kind = type == info.end() ? "" : type->second.as<std::string>();
      if (kind != "Input" && kind != "Output" && kind != "Const" &&
          !ov::is_type<ov::op::v0::Result>(node)) {
        ++running->layer_count_;
      }
    }
    running->request_ = running->compiled_.create_infer_request();
    return {};
  });
  if (!made) return fail(made.error());
  return running;
}

Result<void> RunningModel::infer(const Sample& sample) {
  return caught(path_, [&]() -> Result<void> {
    for (std::size_t i = 0; i < feeds_.size(); ++i) {
      Feed& feed = feeds_[i];
      if (!feed.converted) {
        request_.set_input_tensor(i, sample[feed.sample_input]);
        continue;
      }
      std::vector<float> scratch;
      PLANEX_ASSIGN(const auto values, float_values(sample[feed.sample_input], scratch));
      switch (static_cast<OvType>(feed.converted.get_element_type())) {
        case OvType::f64:
          narrow_values<double>(values, feed.converted);
          break;
        case OvType::f16:
          narrow_values<ov::float16>(values, feed.converted);
          break;
        case OvType::bf16:
          narrow_values<ov::bfloat16>(values, feed.converted);
          break;
        default:
          narrow_values<float>(values, feed.converted);
      }
      request_.set_input_tensor(i, feed.converted);
    }
    sample_ = sample;
    const auto start = std::chrono::steady_clock::now();
    // In this thread, since nothing else waits for it.
    request_.infer();
    last_infer_ms_ = elapsed_ms(start);
    return {};
  });
}

std::optional<ov::Tensor> RunningModel::tensor(const std::string& name) {
  const auto found = places_.find(name);
  if (found == places_.end()) return std::nullopt;
  const Place& place = found->second;
  switch (place.kind) {
    case Place::Kind::kConstant:
      return place.constant;
    case Place::Kind::kInput:
      return sample_[feeds_[place.index].sample_input];
    case Place::Kind::kOutput:
      return request_.get_output_tensor(place.index);
  }
  return std::nullopt;
}

void RunningModel::digest_outputs(base::Sha256& digest) {
  for (std::size_t i = 0; i < own_outputs_; ++i) {
    const ov::Tensor output = request_.get_output_tensor(i);
    if (!element_of(output.get_element_type())) continue;
    digest.add({static_cast<const char*>(output.data()), output.get_byte_size()});
  }
}

}  // namespace planex::drive
