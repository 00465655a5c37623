#include "ingest/discover/other_models.h"

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/text.h"
#include "ingest/discover/plan_file.h"

namespace planex::ingest {
namespace {

using base::format;

struct OtherModel {
  std::string_view label;
  // Position of the magic bytes; empty: only the name identifies the kind.
  std::size_t magic_at;
  std::string_view magic;
  std::array<std::string_view, 4> endings;
  // Commands; {0} is the file, {1} its name without the ending.
  std::string_view hint;
};

constexpr std::string_view kFromPlan =
    "trtexec --loadEngine={0} --profilingVerbosity=detailed --exportLayerInfo={1}.graph.json "
    "--exportProfile={1}.profile.json --exportTimes={1}.timing.json --separateProfileRun\n"
    "planex {1}.graph.json";

constexpr std::string_view kEngineLabel = "TensorRT engine";

constexpr OtherModel kOthers[] = {
    {kEngineLabel, 0, "ftrt", {".engine", ".plan", ".trt"}, kFromPlan},
    {"TensorFlow Lite model",
     4,
     "TFL3",
     {".tflite"},
     "python3 -m tf2onnx.convert --tflite {0} --output {1}.onnx\n"
     "planex process {1}.onnx -o {1}/"},
    {"Keras model",
     0,
     "\x89HDF\r\n",
     {".h5", ".keras", ".hdf5"},
     "python3 -c 'import keras; keras.models.load_model(\"{0}\").export(\"{1}.onnx\", "
     "format=\"onnx\")'\n"
     "planex process {1}.onnx -o {1}/"},
    {"TensorFlow graph",
     0,
     "",
     {".pb"},
     "python3 -m tf2onnx.convert --graphdef {0} --output {1}.onnx --inputs NAME:0 --outputs "
     "NAME:0\n"
     "planex process {1}.onnx -o {1}/"},
    {"PyTorch model",
     0,
     "",
     {".pt", ".pth", ".pt2", ".ptl"},
     "torch.onnx.export(model, (example_input,), \"{1}.onnx\")  in Python, then\n"
     "planex process {1}.onnx -o {1}/"},
    {"file of weights without a model",
     0,
     "",
     {".safetensors"},
     "torch.onnx.export(model, (example_input,), \"{1}.onnx\")  in Python, with the model that "
     "they "
     "belong to, then\nplanex process {1}.onnx -o {1}/"},
};

bool has_magic(const OtherModel& other, std::string_view head) {
  return !other.magic.empty() && head.size() > other.magic_at &&
         head.substr(other.magic_at).starts_with(other.magic);
}

bool has_ending(const OtherModel& other, std::string_view name) {
  return std::ranges::any_of(other.endings, [&](std::string_view ending) {
    return !ending.empty() && name.size() > ending.size() && name.ends_with(ending);
  });
}

// The name counts only if the file is not text: exports can have any name.
bool is_text(std::string_view head) {
  constexpr std::size_t kLooked = 512;
  head = head.substr(0, kLooked);
  return !head.empty() && std::ranges::none_of(head, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\x1b';
  });
}

const OtherModel* find(std::string_view path, std::string_view head) {
  const std::string name = base::lower(base::file_name_of(path));
  for (const OtherModel& other : kOthers) {
    if (has_magic(other, head)) return &other;
  }
  if (inspect_plan(head)) return kOthers;
  if (is_text(head) || head.starts_with("\x1f\x8b")) return nullptr;
  for (const OtherModel& other : kOthers) {
    if (has_ending(other, name)) return &other;
  }
  return nullptr;
}

std::string filled(std::string_view text, const std::string& file, const std::string& stem) {
  std::string result;
  while (!text.empty()) {
    const std::size_t brace = std::min(text.find('{'), text.size());
    result += text.substr(0, brace);
    text.remove_prefix(brace);
    if (text.empty()) break;
    result += text.starts_with("{0}") ? file : stem;
    text.remove_prefix(3);
  }
  return result;
}

std::string stem_word(const std::string& path) {
  const std::string_view name = base::file_name_of(path);
  return base::shell_word(name.substr(0, name.rfind('.')));
}

// "Ultralytics YOLO11n model trained on coco.yaml; version 8.3.200, task detect, imgsz 640x640".
std::string facts_text(const PlanFile& plan) {
  std::string text, description;
  for (const auto& [key, value] : plan.facts) {
    if (key == "description") {
      description = value;
    } else {
      text += format("{}{} {}", text.empty() ? "" : ", ", key == "names" ? "classes" : key, value);
    }
  }
  if (description.empty()) return text;
  return text.empty() ? description : format("{}; {}", description, text);
}

// Reading an engine requires TensorRT: this reports what its first bytes say, and the commands that
// help.
Error engine_error(const std::string& path, std::string_view head) {
  Error error{.code = ErrorCode::kUnsupported, .message = {}, .file = path};
  const std::string file = base::shell_word(path), stem = stem_word(path);
  const auto plan = inspect_plan(head);
  if (head.empty()) {
    error.code = ErrorCode::kBadInput;
    error.message = "is empty, where a TensorRT engine was expected";
    error.hint = "build it again, and check whether the disk is full";
    return error;
  }
  if (!plan) {
    error.message =
        "has the name of a TensorRT engine but does not begin like one (with \"ftrt\", which "
        "trtexec looks for): it is from an old TensorRT, or is another kind of file; planex can't "
        "read it";
    error.hint =
        "if it is an engine, get the files that planex reads:\n" + filled(kFromPlan, file, stem);
    return error;
  }
  const std::string version =
      plan->version.empty() ? std::string() : format(" of version {}", plan->version);
  if (plan->wrapper_bytes == 0) {
    error.message = format("is a TensorRT engine{}, which planex can't read", version);
    error.hint =
        "get the files that planex reads" +
        (plan->version.empty() ? std::string() : format(", with TensorRT {}", plan->version)) +
        ":\n" + filled(kFromPlan, file, stem);
    return error;
  }
  error.context = facts_text(*plan);
  if (plan->is_cut_in_wrapper || !plan->has_tag) {
    error.code = ErrorCode::kBadInput;
    error.message =
        plan->is_cut_in_wrapper
            ? format(
                  "begins with the length of a text, {} bytes, but ends before that: a truncated "
                  "TensorRT engine in Ultralytics' format",
                  plan->wrapper_bytes)
            : format(
                  "begins with {} bytes of length and JSON, as Ultralytics writes before a "
                  "TensorRT engine, but no engine (\"ftrt\") follows",
                  plan->wrapper_bytes);
    error.hint = "copy it again in binary mode, or export it again";
    return error;
  }
  error.message = format(
      "is a TensorRT engine{} that follows {} bytes of length and JSON, as Ultralytics writes "
      "it: "
      "TensorRT can't load it as it is (\"Magic tag does not match\"), and planex can't read it",
      version, plan->wrapper_bytes);
  // The output must never be the input file itself.
  const std::string stripped =
      format("{}{}", stem, path.ends_with(".plan") ? ".stripped.plan" : ".plan");
  error.hint =
      format("remove them, then get the files that planex reads{}:\ntail -c +{} {} > {}\n{}",
             plan->version.empty() ? std::string() : format(", with TensorRT {}", plan->version),
             plan->wrapper_bytes + 1, file, stripped, filled(kFromPlan, stripped, stem));
  return error;
}

}  // namespace

std::string_view other_model_label(std::string_view path, std::string_view head) {
  const OtherModel* other = find(path, head);
  return other == nullptr ? std::string_view() : other->label;
}

std::size_t other_model_head_bytes(std::string_view head) { return plan_head_bytes(head); }

std::optional<Error> other_model_error(const std::string& path, std::string_view head) {
  const OtherModel* other = find(path, head);
  if (other == nullptr) return std::nullopt;
  if (other->label == kEngineLabel) return engine_error(path, head);
  return Error{.code = ErrorCode::kUnsupported,
               .message = format("is a {}, which planex can't read", other->label),
               .file = path,
               .hint = "get the files that planex reads:\n" +
                       filled(other->hint, base::shell_word(path), stem_word(path))};
}

Error model_alone_error(const std::string& path) {
  return {.code = ErrorCode::kBadInput,
          .message = "is a model, not an engine",
          .file = path,
          .hint = base::format(
              "`planex process {} -o DIR` compiles and profiles it; `planex doctor DIR` lists the "
              "files of an engine in a folder",
              path)};
}

}  // namespace planex::ingest
