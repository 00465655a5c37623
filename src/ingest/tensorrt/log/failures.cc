#include "ingest/tensorrt/log/failures.h"

#include <iterator>

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kMemoryAdvice =
    "free GPU memory, use a smaller batch or smaller --maxShapes, or limit "
    "--memPoolSize=workspace:MIB (before TensorRT 8.4 --workspace=MIB)";
constexpr std::string_view kRebuildAdvice =
    "build the engine again with this TensorRT on this kind of GPU (or build it with "
    "--versionCompatible, --hardwareCompatibilityLevel)";
constexpr std::string_view kShapeAdvice =
    "give --shapes inside what the engine was built for, with the names of its inputs";

constexpr std::string_view kFirstConsequence = "Parsing model failed";

constexpr KnownFailure kFailures[] = {
    // Targets and devices.
    {"contains HW-specific datatypes", "a target GPU has no units for a data type of the model",
     "leave that GPU out of the targets, or take the type (FP8, FP4, BF16, ...) out of the model"},
    {"Cannot find any available devices", "CUDA finds no usable GPU",
     "run on a machine with an NVIDIA GPU and driver; in a container, give it the GPU"},
    {"Cannot find device ID", "the GPU that --device names is not there",
     "see nvidia-smi -L for the numbers of the devices"},
    {"CUDA initialization failure", "CUDA did not start",
     "check the driver with nvidia-smi; it must be new enough for this CUDA version"},
    {"CHECK(status == CUDA_SUCCESS)", "a step of the build needs a GPU and its driver",
     "build where a GPU is, or without the option that needs one (stripping weights does)"},
    // Engines of another kind.
    {"Version tag does not match", "the engine was made by another TensorRT version",
     kRebuildAdvice},
    {"serialization version", "the engine was made by another TensorRT version", kRebuildAdvice},
    {"Serialization version", "the engine was made by another TensorRT version", kRebuildAdvice},
    {"Plan was created with TensorRT version", "the engine was made by another TensorRT version",
     kRebuildAdvice},
    {"is not compatible with this version of TensorRT",
     "the engine was made by another TensorRT version", kRebuildAdvice},
    {"compiled for a different", "the engine was made for another kind of GPU", kRebuildAdvice},
    {"expecting compute", "the engine was made for another kind of GPU", kRebuildAdvice},
    {"Failed to verify a plan tag", "the file is not a TensorRT engine",
     "name the engine that --saveEngine wrote"},
    {"Error opening engine file", "the engine file can't be opened", "check the path"},
    // The model.
    {"No importer registered for op", "the ONNX parser does not know an operator of the model",
     "load a plugin for it (--staticPlugins, --dynamicPlugins), or export the model without it"},
    // Which operator, and why, MissingOperators tells.
    {"Plugin not found", "the ONNX parser does not know an operator of the model",
     "load a plugin for it (--staticPlugins, --dynamicPlugins), or export the model without it"},
    {"getPluginCreator could not find plugin",
     "the ONNX parser does not know an operator of the model",
     "load a plugin for it (--staticPlugins, --dynamicPlugins), or export the model without it"},
    {"Could not load plugin library", "a plugin library could not be loaded",
     "check its path, and that it was built for this TensorRT"},
    {"could not find any supported formats", "a node supports none of the types it would be given",
     "change the types of the tensors around the node that the error names, or, of a plugin, the "
     "combinations that it accepts"},
    {"Could not find any implementation for node", "no kernel fits one node of the model",
     "allow more memory (--memPoolSize=workspace:MIB, before TensorRT 8.4 --workspace=MIB) or more "
     "precisions, or change that node"},
    {"zero point is not supported", "the model's quantization has zero points other than 0",
     "quantize symmetrically, with zero points of 0"},
    {"must have same input types", "the model mixes types in one operation",
     "make the types of its inputs equal in the ONNX file; a strongly typed build casts nothing"},
    {"Invalid Node", "the ONNX parser rejected a node of the model",
     "simplify or export the model again, perhaps with another opset"},
    {"While parsing node", "the ONNX parser rejected a node of the model",
     "simplify or export the model again, perhaps with another opset"},
    // Memory, and CUDA at large. After the causes above: tactics that don't fit are errors too.
    {"OutOfMemory", "GPU memory ran out", kMemoryAdvice},
    {"out of memory", "GPU memory ran out", kMemoryAdvice},
    {"Cuda failure", "a CUDA call failed", "see the quoted text; check driver and GPU"},
    {"Error Code 1: Cuda", "a CUDA call failed", "see the quoted text; check driver and GPU"},
    // Shapes and command line.
    {"Static dimension mismatch", "the given shapes are not those of the engine", kShapeAdvice},
    {"Static model does not take explicit shapes",
     "shapes were given for a model whose shapes are fixed", "leave the shape options out"},
    {"Cannot find input tensor with name", "a shape was given for an input that is not there",
     "use the names of the model's own inputs"},
    {"Selected profile index", "the engine has no such optimization profile",
     "give --useProfile one that it has"},
    {"Set optimization profile failed", "the engine has no such optimization profile",
     "give --useProfile one that it has"},
    {"Invalid tensor names found", "an option names a tensor that the engine does not have",
     "use the names of the engine's own inputs"},
    {"Unexpected file size for input file", "an input file has the wrong size",
     "write raw values of exactly the input's type and shape"},
    {"Cannot open file", "an input file can't be opened", "check the path"},
    {"Unknown option", "trtexec does not know an option", "see trtexec --help of this version"},
    {"Model missing or format not recognized", "the command names no model",
     "give --onnx=FILE or --loadEngine=FILE"},
    {"Incompatible load and save engine", "--loadEngine and --saveEngine exclude one another",
     "give one of them"},
    {"Saving engine to file failed", "the engine was built and could not be written",
     "check the folder and the space on the disk"},
    {"No tuning iteration succeeded", "no variant of the tuning could be built",
     "see the log of each variant"},
    {"Accuracy validation FAILED", "the outputs differ too much from the reference",
     "check the precisions, or raise the threshold"},
    {"exceeded the threshold", "the outputs differ too much from the reference",
     "check the precisions, or raise the threshold"},
    {"Uncaught exception detected", "trtexec stopped on an exception", "see the quoted text"},
    {"Assertion fail", "a check inside TensorRT failed", "see the quoted text"},
    // What follows from the rest.
    {kFirstConsequence, "the ONNX parser rejected the model",
     "run it again with --verbose to see the node"},
    {"Failed to parse onnx file", "the ONNX parser rejected the model",
     "run it again with --verbose to see the node"},
    {"Engine deserialization failed", "the engine could not be loaded", kRebuildAdvice},
    {"Engine refit failed", "the new weights do not fit the engine",
     "refit with the model that the engine was built of"},
    {"Unable to create execution context", "there is not enough memory to run the engine",
     kMemoryAdvice},
    {"Inference enqueue failed", "an inference could not be started",
     "see the errors before this one"},
    {"Error occurred during inference", "an inference failed", "see the errors before this one"},
    {"Inference set up failed", "the inferences could not be prepared",
     "see the errors before this one"},
    {"Engine could not be created from network", "the builder made no engine",
     "run it again with --verbose to see the step that failed"},
    {"Failed to create engine from model", "the builder made no engine",
     "run it again with --verbose to see the step that failed"},
    {"Engine set up failed", "there is no engine to run",
     "run it again with --verbose to see the step that failed"},
};

}  // namespace

std::span<const KnownFailure> known_failures() { return kFailures; }

std::size_t first_consequence() {
  std::size_t index = 0;
  while (kFailures[index].text != kFirstConsequence) ++index;
  return index;
}

std::size_t find_failure(std::string_view error) {
  std::size_t index = 0;
  for (const KnownFailure& failure : kFailures) {
    if (error.find(failure.text) != error.npos) return index;
    ++index;
  }
  return std::size(kFailures);
}

}  // namespace planex::ingest::tensorrt
