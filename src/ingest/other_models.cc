#include "ingest/other_models.h"

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/text.h"

namespace planex::ingest {
namespace {

using base::format;

struct OtherModel {
  std::string_view label;
  // Where the magic bytes stand; empty: only the name tells.
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

constexpr OtherModel kOthers[] = {
    {"TensorRT engine", 0, "ftrt", {".engine", ".plan", ".trt"}, kFromPlan},
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

// The name counts only for what is no text: exports may be called anything.
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

}  // namespace

std::string_view other_model_label(std::string_view path, std::string_view head) {
  const OtherModel* other = find(path, head);
  return other == nullptr ? std::string_view() : other->label;
}

std::optional<Error> other_model_error(const std::string& path, std::string_view head) {
  const OtherModel* other = find(path, head);
  if (other == nullptr) return std::nullopt;
  const std::string_view name = base::file_name_of(path);
  const std::string stem = base::shell_word(name.substr(0, name.rfind('.')));
  return Error{.code = ErrorCode::kUnsupported,
               .message = format("is a {}, which planex can't read", other->label),
               .file = path,
               .hint = "get the files that planex reads:\n" +
                       filled(other->hint, base::shell_word(path), stem)};
}

}  // namespace planex::ingest
