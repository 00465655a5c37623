#include "trtexec/known_messages.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace planex::trtexec {
namespace {

using Kind = MessageKind;

// The diagnostic's code of all errors.
constexpr std::string_view kError = "trt-error";

constexpr std::string_view kSymmetricAdvice =
    "planex advise MODEL.onnx --target tensorrt --apply -o OUT.onnx makes them int8 with zero "
    "points "
    "of 0; or quantize symmetrically (ONNX Runtime's quantizer: ActivationSymmetric, "
    "WeightSymmetric)";
constexpr std::string_view kIntegerBias =
    "the model has INT32 biases that pass through DequantizeLinear";
constexpr std::string_view kFloatBiasAdvice =
    "planex advise MODEL.onnx --target tensorrt --apply -o OUT.onnx makes them float; or keep them "
    "in "
    "float when you quantize (ONNX Runtime's quantizer: QuantizeBias=False)";
constexpr std::string_view kMemoryAdvice =
    "free GPU memory, use a smaller batch or smaller --maxShapes, or limit "
    "--memPoolSize=workspace:MIB (before TensorRT 8.4 --workspace=MIB)";
constexpr std::string_view kRebuildAdvice =
    "rebuild the engine with this TensorRT on this kind of GPU (or build it with "
    "--versionCompatible, --hardwareCompatibilityLevel)";
constexpr std::string_view kShapeAdvice =
    "give --shapes within what the engine was built for, with the names of its inputs";

constexpr std::string_view kFirstConsequence = "Parsing model failed";

constexpr KnownMessage kErrors[] = {
    // Targets and devices.
    {"contains HW-specific datatypes", kError, Kind::kDevice,
     "a target GPU has no units for a data type of the model",
     "leave that GPU out of the targets, or remove the type (FP8, FP4, BF16, ...) from the model"},
    {"no kernel image is available", kError, Kind::kDevice,
     "the program has no code for this GPU: TensorRT, or a plugin, was built for other GPUs",
     "use a TensorRT that supports this GPU, or build the plugin for its compute capability"},
    {"driver version is insufficient", kError, Kind::kDevice,
     "the GPU's driver is older than CUDA needs",
     "install a newer driver, or use a TensorRT for an older CUDA"},
    {"Cannot find any available devices", kError, Kind::kDevice, "CUDA finds no usable GPU",
     "run on a machine with an NVIDIA GPU and driver; in a container, give it the GPU"},
    {"Cannot find device ID", kError, Kind::kDevice, "the GPU that --device names does not exist",
     "see nvidia-smi -L for the numbers of the devices"},
    {"CUDA initialization failure", kError, Kind::kDevice, "CUDA did not start",
     "check the driver with nvidia-smi; it must be new enough for this CUDA version"},
    {"CHECK(status == CUDA_SUCCESS)", kError, Kind::kDevice,
     "a step of the build needs a GPU and its driver",
     "build on a machine with a GPU, or without the option that needs one (stripping weights "
     "does)"},
    // Engines of another kind.
    {"Magic tag does not match", kError, Kind::kLoad,
     "the file does not begin like a TensorRT engine: something comes before the engine "
     "(Ultralytics writes its length and JSON there), the file was read or copied as text, it is "
     "another file, such as the model, or it is an engine of a TensorRT version that wrote a "
     "different header",
     "planex doctor ENGINE says what the file is and how to strip what comes before the engine; "
     "read it in binary mode, or rebuild it with the TensorRT that loads it"},
    {"does not match archive size", kError, Kind::kLoad,
     "the engine file is truncated, or has extra bytes after the engine",
     "copy it again in binary mode and compare the sizes, or rebuild it"},
    {"Version tag does not match", kError, Kind::kLoad,
     "the engine was made by another TensorRT version", kRebuildAdvice},
    {"serialization version", kError, Kind::kLoad,
     "the engine was made by another TensorRT version", kRebuildAdvice},
    {"Serialization version", kError, Kind::kLoad,
     "the engine was made by another TensorRT version", kRebuildAdvice},
    {"Plan was created with TensorRT version", kError, Kind::kLoad,
     "the engine was made by another TensorRT version", kRebuildAdvice},
    {"is not compatible with this version of TensorRT", kError, Kind::kLoad,
     "the engine was made by another TensorRT version", kRebuildAdvice},
    {"generated on an incompatible device", kError, Kind::kLoad,
     "the engine was made for another kind of GPU", kRebuildAdvice},
    {"compiled for a different", kError, Kind::kLoad, "the engine was made for another kind of GPU",
     kRebuildAdvice},
    {"expecting compute", kError, Kind::kLoad, "the engine was made for another kind of GPU",
     kRebuildAdvice},
    {"Failed to verify a plan tag", kError, Kind::kLoad, "the file is not a TensorRT engine",
     "name the engine that --saveEngine wrote"},
    {"Error opening engine file", kError, Kind::kLoad, "the engine file can't be opened",
     "check the path"},
    // The model.
    {"No importer registered for op", kError, Kind::kModel,
     "the ONNX parser does not know an operator of the model",
     "load a plugin for it (--staticPlugins, --dynamicPlugins), or export the model without it"},
    // MissingOperators says which operator, and why.
    {"Plugin not found", kError, Kind::kModel,
     "the ONNX parser does not know an operator of the model",
     "load a plugin for it (--staticPlugins, --dynamicPlugins), or export the model without it"},
    {"getPluginCreator could not find plugin", kError, Kind::kModel,
     "the ONNX parser does not know an operator of the model",
     "load a plugin for it (--staticPlugins, --dynamicPlugins), or export the model without it"},
    {"Could not load plugin library", kError, Kind::kModel, "a plugin library could not be loaded",
     "check its path, and that it was built for this TensorRT"},
    {"could not find any supported formats", kError, Kind::kModel,
     "a node supports none of the types it would be given",
     "change the types of the tensors around the node that the error names or, for a plugin, the "
     "combinations that it accepts"},
    {"Could not find any implementation for node", kError, Kind::kModel,
     "no kernel fits one node of the model",
     "allow more memory (--memPoolSize=workspace:MIB, before TensorRT 8.4 --workspace=MIB) or more "
     "precisions, or change that node"},
    {"zero point is not supported", kError, Kind::kModel,
     "the model's quantization has zero points other than 0", kSymmetricAdvice},
    {"only supports symmetric quantization", kError, Kind::kModel,
     "the model's quantization has zero points other than 0", kSymmetricAdvice},
    // A bias that was quantized with the layer, as ONNX Runtime's quantizer does by default.
    {"has type Int32 but must have type FP8", kError, Kind::kModel, kIntegerBias, kFloatBiasAdvice},
    {"DequantizeLayer can only run in", kError, Kind::kModel, kIntegerBias, kFloatBiasAdvice},
    {"must have same input types", kError, Kind::kModel, "the model mixes types in one operation",
     "make the types of its inputs equal in the ONNX file; a strongly typed build casts nothing"},
    {"no optimization profile has been defined", kError, Kind::kCommand,
     "an input is dynamic, and the build got no shapes for it",
     "give --minShapes, --optShapes and --maxShapes for it"},
    {"Network must have at least one output", kError, Kind::kModel, "the network has no output",
     "the parser failed earlier, or no tensor is marked as output: see the errors before this one"},
    {"Invalid Node", kError, Kind::kModel, "the ONNX parser rejected a node of the model",
     "simplify or export the model again, perhaps with another opset"},
    {"While parsing node", kError, Kind::kModel, "the ONNX parser rejected a node of the model",
     "simplify or export the model again, perhaps with another opset"},
    // Memory, and CUDA in general. After the causes above: tactics that don't fit are errors, too.
    {"Requested amount of GPU memory", kError, Kind::kMemory, "GPU memory ran out", kMemoryAdvice},
    {"OutOfMemory", kError, Kind::kMemory, "GPU memory ran out", kMemoryAdvice},
    {"out of memory", kError, Kind::kMemory, "GPU memory ran out", kMemoryAdvice},
    {"Cuda failure", kError, Kind::kDevice, "a CUDA call failed",
     "see the quoted text; check driver and GPU"},
    {"Error Code 1: Cuda", kError, Kind::kDevice, "a CUDA call failed",
     "see the quoted text; check driver and GPU"},
    // Shapes and command line.
    {"Static dimension mismatch", kError, Kind::kCommand,
     "the given shapes do not match the engine", kShapeAdvice},
    {"Static model does not take explicit shapes", kError, Kind::kCommand,
     "shapes were given for a model whose shapes are fixed", "leave the shape options out"},
    {"Cannot find input tensor with name", kError, Kind::kCommand,
     "a shape was given for an input that does not exist",
     "use the names of the model's own inputs"},
    {"Selected profile index", kError, Kind::kCommand,
     "the engine has no such optimization profile",
     "give --useProfile a profile that the engine has"},
    {"Set optimization profile failed", kError, Kind::kCommand,
     "the engine has no such optimization profile",
     "give --useProfile a profile that the engine has"},
    {"Invalid tensor names found", kError, Kind::kCommand,
     "an option names a tensor that the engine does not have",
     "use the names of the engine's own inputs"},
    {"Unexpected file size for input file", kError, Kind::kCommand,
     "an input file has the wrong size", "write raw values of exactly the input's type and shape"},
    {"Cannot open file", kError, Kind::kCommand, "an input file can't be opened", "check the path"},
    {"Unknown option", kError, Kind::kCommand, "trtexec does not know an option",
     "see trtexec --help of this version"},
    {"Model missing or format not recognized", kError, Kind::kCommand, "the command names no model",
     "give --onnx=FILE or --loadEngine=FILE"},
    {"Incompatible load and save engine", kError, Kind::kCommand,
     "--loadEngine and --saveEngine exclude each other", "give one of them"},
    {"Saving engine to file failed", kError, Kind::kCommand,
     "the engine was built and could not be written", "check the folder and the space on the disk"},
    {"No tuning iteration succeeded", kError, Kind::kModel,
     "no variant could be built during tuning", "see the log of each variant"},
    {"Accuracy validation FAILED", kError, Kind::kAccuracy,
     "the outputs differ too much from the reference",
     "check the precisions, or raise the threshold"},
    {"exceeded the threshold", kError, Kind::kAccuracy,
     "the outputs differ too much from the reference",
     "check the precisions, or raise the threshold"},
    {"Uncaught exception detected", kError, Kind::kRun, "trtexec stopped on an exception",
     "see the quoted text"},
    {"Assertion fail", kError, Kind::kModel, "a check inside TensorRT failed",
     "see the quoted text"},
    // What follows from the others.
    {kFirstConsequence, kError, Kind::kModel, "the ONNX parser rejected the model",
     "run it again with --verbose to see the node"},
    {"Failed to parse onnx file", kError, Kind::kModel, "the ONNX parser rejected the model",
     "run it again with --verbose to see the node"},
    {"Engine deserialization failed", kError, Kind::kLoad, "the engine could not be loaded",
     kRebuildAdvice},
    {"Engine refit failed", kError, Kind::kLoad, "the new weights do not fit the engine",
     "refit with the model that the engine was built from"},
    {"Unable to create execution context", kError, Kind::kMemory,
     "there is not enough memory to run the engine", kMemoryAdvice},
    {"Inference enqueue failed", kError, Kind::kRun, "an inference could not be started",
     "see the errors before this one"},
    {"Error occurred during inference", kError, Kind::kRun, "an inference failed",
     "see the errors before this one"},
    {"Inference set up failed", kError, Kind::kRun, "the inferences could not be prepared",
     "see the errors before this one"},
    {"Engine could not be created from network", kError, Kind::kModel, "the builder made no engine",
     "run it again with --verbose to see the step that failed"},
    {"Failed to create engine from model", kError, Kind::kModel, "the builder made no engine",
     "run it again with --verbose to see the step that failed"},
    {"Engine set up failed", kError, Kind::kModel, "there is no engine to run",
     "run it again with --verbose to see the step that failed"},
};

constexpr KnownMessage kWarnings[] = {
    {"* Throughput may be bound by Enqueue Time",
     "enqueue-bound",
     Kind::kMeasurement,
     "the host takes about as long to start an inference as the GPU to run it, so the GPU waits; a "
     "CUDA graph helps",
     {}},
    {"* Throughput may be bound by host-to-device",
     "transfer-bound",
     Kind::kMeasurement,
     "copying the inputs takes longer than the inference",
     {}},
    {"* Throughput may be bound by device-to-host",
     "transfer-bound",
     Kind::kMeasurement,
     "copying the outputs takes longer than the inference",
     {}},
    {"* GPU compute time is unstable",
     "unstable-latency",
     Kind::kMeasurement,
     "times of single inferences scatter, so small differences between runs are not significant; "
     "lock the GPU's clocks",
     {}},
    {"* Multiple inference streams",
     "parallel-inferences",
     Kind::kMeasurement,
     "inferences ran in parallel: the throughput is right, but each latency is longer than that of "
     "a single inference",
     {}},
    {"Skip layer timing collection in CUDA graph",
     "profiled-with-cuda-graph",
     Kind::kMeasurement,
     "layer times can't be measured in a CUDA graph: some inferences have no layer times",
     {}},
    {"Failed to collect layer timing info",
     "profiled-with-cuda-graph",
     Kind::kMeasurement,
     "some inferences have no layer times",
     {}},
    {"The CUDA graph capture on the stream has failed",
     "cuda-graph-failed",
     Kind::kMeasurement,
     "the times are without a CUDA graph, although one was requested",
     {}},
    {"CUDA graph capture failed",
     "cuda-graph-failed",
     Kind::kMeasurement,
     "the times are without a CUDA graph, although one was requested",
     {}},
    {"The built TensorRT engine contains operations that are not permitted under",
     "cuda-graph-failed",
     Kind::kMeasurement,
     "the times are without a CUDA graph, although one was requested",
     {}},
    {"The built engine contains operations that are not permitted under",
     "cuda-graph-failed",
     Kind::kMeasurement,
     "the times are without a CUDA graph, although one was requested",
     {}},
    {"The specified --useCudaGraph flag has been ignored",
     "cuda-graph-failed",
     Kind::kMeasurement,
     "the times are without a CUDA graph, although one was requested",
     {}},
    {"Dynamic dimensions required for input",
     "shape-assumed",
     Kind::kMeasurement,
     "trtexec chose the shape: the engine and the times are for that shape",
     {}},
    {"Shape missing for input with dynamic shape",
     "shape-assumed",
     Kind::kMeasurement,
     "trtexec chose the shape: the times are for that shape",
     {}},
    {"Using an engine plan file across different models of devices",
     "other-device",
     Kind::kDevice,
     "the engine was built for another GPU: its kernels were chosen by times measured there",
     {}},
    {"Some tactics do not have sufficient workspace memory",
     "workspace-too-small",
     Kind::kMemory,
     "faster kernels may have been left out: raise --memPoolSize=workspace:MIB (before TensorRT "
     "8.4 --workspace=MIB)",
     {}},
    {"Skipping tactic",
     "tactics-skipped",
     Kind::kMemory,
     "a kernel was left out, perhaps the fastest",
     {}},
    {"UNSUPPORTED_STATE: Skipping tactic",
     "tactics-skipped",
     Kind::kMemory,
     "a kernel was left out, perhaps the fastest",
     {}},
    {" (foreignNode) Warning: this engine will not be able to run on target",
     "target-left-out",
     Kind::kDevice,
     "the engine does not run on every target it was built for",
     {}},
};

constexpr std::string_view kKeepAdvice =
    "compare the outputs with the model's (planex accuracy); where they differ too much, keep "
    "these "
    "layers in FP32 (planex cast MODEL.onnx --to fp16 --keep NODE; up to 10.16 --layerPrecisions)";

constexpr KnownMessage kAccuracyWarnings[] = {
    {"Detected layernorm nodes in FP16", "layernorm-in-fp16", Kind::kAccuracy,
     "a LayerNorm that the model has as separate operations runs in FP16, where its squares and "
     "sums can overflow",
     "export with opset 17 or newer, where it is one LayerNormalization (TensorRT's "
     "INormalizationLayer), or keep these nodes in FP32: planex cast MODEL.onnx --to fp16 --keep "
     "NODE (up to 10.16 --layerPrecisions)",
     "8.6+"},
    {"Running layernorm after self-attention", "layernorm-in-fp16", Kind::kAccuracy,
     "a LayerNorm that the model has as separate operations runs in FP16, where its squares and "
     "sums can overflow",
     "export with opset 17 or newer, where it is one LayerNormalization (TensorRT's "
     "INormalizationLayer), or keep these nodes in FP32: planex cast MODEL.onnx --to fp16 --keep "
     "NODE (up to 10.16 --layerPrecisions)",
     "8.6+"},
    {"would overflow in FP16", "weights-clipped", Kind::kAccuracy,
     "weights beyond the range of FP16 (65504) were replaced by its nearest value, so the layer "
     "computes something else",
     "keep these layers in FP32 (planex cast MODEL.onnx --to fp16 --keep NODE), cast to BF16 "
     "(planex cast MODEL.onnx --to bf16), or scale the weights in the model"},
    {"less than smallest positive FP16", "weights-below-fp16", Kind::kAccuracy,
     "weights that are smaller than any FP16 value were replaced by the smallest one", kKeepAdvice},
    {"ubnormal FP16 values", "weights-subnormal", Kind::kAccuracy,
     "weights are so small that FP16 keeps fewer of their digits", kKeepAdvice},
    {"weights are affected by this issue", "weights-changed", Kind::kAccuracy,
     "converting weights to a smaller type changed them", kKeepAdvice},
    {"had the following issues when converted", "weights-changed", Kind::kAccuracy,
     "converting weights to a smaller type changed them", kKeepAdvice},
    {"encountered issues when converting weights", "weights-changed", Kind::kAccuracy,
     "converting weights to a smaller type changed them", kKeepAdvice},
    {"Missing scale and zero-point for tensor", "int8-scale-missing", Kind::kAccuracy,
     "tensors have no INT8 scale, so the layers that read or write them run in a float type",
     "calibrate with data that reaches them (planex quantize MODEL.onnx --data DIR --cache FILE), "
     "or give the model Q/DQ pairs there; integer and shape tensors need none",
     "8.0 to 10.x"},
    {"Missing dynamic range for tensor", "int8-scale-missing", Kind::kAccuracy,
     "tensors have no INT8 scale, so the layers that read or write them run in a float type",
     "calibrate with data that reaches them (planex quantize MODEL.onnx --data DIR --cache FILE), "
     "or give the model Q/DQ pairs there; integer and shape tensors need none",
     "before 8.0"},
    {"Calibrator is not being used", "int8-without-calibration", Kind::kAccuracy,
     "INT8 was requested without calibration: only tensors whose range the program sets run in "
     "INT8",
     "give --calib=FILE (planex quantize MODEL.onnx --data DIR --cache FILE), or a model with Q/DQ",
     "before 11"},
    {"Calibrator won't be used in explicit precision mode", "calibration-ignored", Kind::kAccuracy,
     "the model has Q/DQ, so the calibration cache is not used",
     "leave --calib out, or build the float model with it", "before 11"},
    {"outside the range of INT32 was clamped", "int64-clamped", Kind::kAccuracy,
     "INT64 constants beyond INT32 were clamped to its range; for the open end of a Slice, this is "
     "intended",
     "look for other such constants in the model, or use TensorRT 10, which has INT64",
     "before 10"},
    {"FLOAT32 precision to run an INT32 ArgMax", "argmax-in-float", Kind::kAccuracy,
     "ArgMax or ArgMin of integers runs in FP32, which rounds integers beyond 16 777 216", ""},
};

}  // namespace

std::string_view to_string(MessageKind kind) {
  switch (kind) {
    case Kind::kDevice:
      return "device";
    case Kind::kLoad:
      return "load";
    case Kind::kModel:
      return "model";
    case Kind::kMemory:
      return "memory";
    case Kind::kCommand:
      return "command";
    case Kind::kRun:
      return "run";
    case Kind::kAccuracy:
      return "accuracy";
    case Kind::kMeasurement:
      return "measurement";
  }
  return {};
}

std::span<const KnownMessage> known_errors() { return kErrors; }

std::size_t first_consequence() {
  std::size_t index = 0;
  while (kErrors[index].text != kFirstConsequence) ++index;
  return index;
}

std::size_t find_error(std::string_view error) {
  std::size_t index = 0;
  for (const KnownMessage& known : kErrors) {
    if (error.find(known.text) != error.npos) return index;
    ++index;
  }
  return std::size(kErrors);
}

std::span<const KnownMessage> known_warnings() { return kWarnings; }

const KnownMessage* find_warning(std::string_view warning) {
  for (const KnownMessage& known : kWarnings) {
    if (warning.starts_with(known.text)) return &known;
  }
  return nullptr;
}

std::span<const KnownMessage> accuracy_warnings() { return kAccuracyWarnings; }

const KnownMessage* find_accuracy_warning(std::string_view warning) {
  for (const KnownMessage& known : kAccuracyWarnings) {
    if (warning.find(known.text) != warning.npos) return &known;
  }
  return nullptr;
}

const KnownMessage* accuracy_warning_of(std::string_view code) {
  const auto* const found = std::ranges::find(kAccuracyWarnings, code, &KnownMessage::code);
  return found == std::end(kAccuracyWarnings) ? nullptr : found;
}

}  // namespace planex::trtexec
