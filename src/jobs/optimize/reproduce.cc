#include "jobs/optimize/reproduce.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/text.h"

namespace planex::jobs {
namespace {

using base::format;

using Pairs = std::vector<std::pair<std::string, std::string>>;

// "--streams=2", "--config" "KEY=VALUE", "fp16" as names and values.
Pairs parsed_words(const std::vector<std::string>& words) {
  Pairs options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word.starts_with("--")) word.remove_prefix(2);
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) {
      options.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      options.emplace_back(word, words[++i]);
    } else {
      options.emplace_back(word, "");
    }
  }
  return options;
}

// The last one counts.
std::optional<std::string> value_of(const Pairs& options, std::string_view name) {
  const auto last = std::find_if(options.rbegin(), options.rend(),
                                 [&](const auto& option) { return option.first == name; });
  if (last == options.rend()) return std::nullopt;
  return last->second;
}

bool is_about_measuring(std::string_view name) {
  constexpr std::string_view kNames[] = {"duration-ms",  "profile-ms", "rounds",
                                         "iterations",   "warmup",     "round-iterations",
                                         "round-warmup", "seed"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

std::string python_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    quoted += c;
  }
  return quoted + "\"";
}

// `known`: names that the script says otherwise.
std::string left_out(const Pairs& options, std::initializer_list<std::string_view> known) {
  std::string text;
  for (const auto& [name, value] : options) {
    const bool is_known = std::ranges::find(known, name) != known.end();
    if (is_known || is_about_measuring(name)) continue;
    text += format("# Not repeated here: {} {}\n", python_text(name), python_text(value));
  }
  return text;
}

// "x=1x3x8x8" as `"x": [1, 3, 8, 8]`.
std::string shapes_text(const std::vector<std::string>& shapes) {
  std::string text;
  for (const std::string& shape : shapes) {
    const std::size_t equals = shape.rfind('=');
    if (equals == std::string::npos) continue;
    std::string dims = shape.substr(equals + 1);
    std::string list;
    for (const char c : dims) list += c == 'x' ? std::string(", ") : std::string(1, c);
    text +=
        format("{}{}: [{}]", text.empty() ? "" : ", ", python_text(shape.substr(0, equals)), list);
  }
  return text;
}

constexpr std::string_view kTiming = R"(
for _ in range(10):
    infer()
times = []
begin = time.perf_counter()
while time.perf_counter() - begin < 2:
    start = time.perf_counter()
    infer()
    times.append((time.perf_counter() - start) * 1000)
print(f"{statistics.median(times):.4f} ms, median of {len(times)} inferences")
)";

// Where the model is: in the script's folder; or, in a capsule, at its place there, else where it
// was.
std::string python_model(const Reproduced& what) {
  std::string text = "folder = pathlib.Path(__file__).parent\n";
  if (what.packed.empty()) {
    return text + format("path = folder / {}\n", python_text(what.model));
  }
  return text + format("path = folder / {}\nif not path.exists():\n    path = {}\n",
                       python_text(what.packed), python_text(what.model));
}

std::string openvino_script(const Reproduced& what) {
  const Pairs options = parsed_words(what.words);
  const int streams = base::number_in<int>(value_of(options, "streams").value_or("1")).value_or(1);
  std::string text =
      "# Compiles and times what `planex optimize` found, without planex.\n"
      "# Needs: pip install openvino numpy\n";
  text += left_out(options, {"config", "streams", "precision", "isa", "threads"});
  text += "import os\nimport pathlib\nimport statistics\nimport time\n\nimport numpy as np\n\n";
  if (const auto isa = value_of(options, "isa")) {
    text += format("os.environ[\"ONEDNN_MAX_CPU_ISA\"] = {}\n\n", python_text(*isa));
  }
  text += "import openvino as ov\n\n";
  text += python_model(what) + "core = ov.Core()\nmodel = core.read_model(path)\n";
  if (!what.shapes.empty()) text += format("model.reshape({{{}}})\n", shapes_text(what.shapes));
  text += "compiled = core.compile_model(\n    model,\n    \"CPU\",\n    {\n";
  const auto property = [&](std::string_view name, const std::string& value) {
    text += format("        {}: {},\n", python_text(name), value);
  };
  property("INFERENCE_PRECISION_HINT", python_text(value_of(options, "precision").value_or("f32")));
  property("INFERENCE_NUM_THREADS", format("{}", what.threads * streams));
  property("NUM_STREAMS", python_text(format("{}", streams)));
  property("ENABLE_CPU_PINNING", "False");
  for (const auto& [name, value] : options) {
    const std::size_t equals = value.find('=');
    if (name != "config" || equals == std::string::npos) continue;
    property(value.substr(0, equals), python_text(value.substr(equals + 1)));
  }
  text +=
      "    },\n)\n"
      "draw = np.random.default_rng(1)\n"
      "inputs = {}\n"
      "for port in compiled.inputs:\n"
      "    dtype = port.get_element_type().to_dtype()\n"
      "    inputs[port.get_any_name()] = draw.normal(0, 1, tuple(port.shape)).astype(dtype)\n";
  if (streams <= 1) {
    return text +
           "request = compiled.create_infer_request()\n\n\ndef infer():\n    "
           "request.infer(inputs)\n\n" +
           std::string(kTiming);
  }
  return text + format(R"(
queue = ov.AsyncInferQueue(compiled, {})
count = 0
begin = time.perf_counter()
while time.perf_counter() - begin < 2:
    queue.start_async(inputs)
    count += 1
queue.wait_all()
print(f"{{count / (time.perf_counter() - begin):.1f}} inferences/s")
)",
                       streams);
}

std::string onnxruntime_script(const Reproduced& what) {
  const Pairs options = parsed_words(what.words);
  std::string text =
      "# Loads and times what `planex optimize` found, without planex.\n"
      "# Needs: pip install onnxruntime numpy\n";
  text += left_out(options, {"config", "optimization", "threads"});
  text +=
      "import pathlib\nimport statistics\nimport time\n\nimport numpy as np\n"
      "import onnxruntime as ort\n\n"
      "options = ort.SessionOptions()\n";
  text += format("options.intra_op_num_threads = {}\n", what.threads);
  const std::string level = value_of(options, "optimization").value_or("all");
  const std::string_view name = level == "extended"  ? "ORT_ENABLE_EXTENDED"
                                : level == "basic"   ? "ORT_ENABLE_BASIC"
                                : level == "disable" ? "ORT_DISABLE_ALL"
                                                     : "ORT_ENABLE_ALL";
  text += format("options.graph_optimization_level = ort.GraphOptimizationLevel.{}\n", name);
  for (const auto& [key, value] : options) {
    const std::size_t equals = value.find('=');
    if (key != "config" || equals == std::string::npos) continue;
    text += format("options.add_session_config_entry({}, {})\n",
                   python_text(value.substr(0, equals)), python_text(value.substr(equals + 1)));
  }
  text += python_model(what) +
          "session = ort.InferenceSession(str(path), options, "
          "providers=[\"CPUExecutionProvider\"])\n";
  text += format("shapes = {{{}}}\n", shapes_text(what.shapes));
  text += R"script(types = {
    "tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(float16)": np.float16,
    "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(uint8)": np.uint8,
    "tensor(int8)": np.int8, "tensor(bool)": np.bool_,
}
draw = np.random.default_rng(1)
inputs = {}
for port in session.get_inputs():
    shape = shapes.get(port.name) or [dim if isinstance(dim, int) else 1 for dim in port.shape]
    inputs[port.name] = draw.normal(0, 1, tuple(shape)).astype(types[port.type])


def infer():
    session.run(None, inputs)

)script";
  return text + std::string(kTiming);
}

std::string trtexec_script(const Reproduced& what) {
  std::string model = format("model=\"$folder\"/{}\n",
                             base::shell_word(what.packed.empty() ? what.model : what.packed));
  if (!what.packed.empty()) {
    model += format("[ -e \"$model\" ] || model={}\n", base::shell_word(what.model));
  }
  std::string command = "trtexec --onnx=\"$model\" --saveEngine=best.plan";
  for (const std::string& shape : what.shapes) {
    const std::size_t equals = shape.rfind('=');
    command +=
        " --shapes=" + base::shell_word(shape.substr(0, equals) + ":" + shape.substr(equals + 1));
  }
  for (const std::string& word : what.words) {
    command += " " + base::shell_word(word.starts_with("--") ? word : "--" + word);
  }
  return format(
      "#!/bin/sh\n# Builds and times what `planex optimize` found, without planex.\n"
      "folder=$(dirname \"$0\")\n{}{}\n",
      model, command);
}

}  // namespace

Script reproducing_script(const Reproduced& what) {
  if (what.engine == "openvino") return {"reproduce.py", openvino_script(what)};
  if (what.engine == "onnxruntime") return {"reproduce.py", onnxruntime_script(what)};
  if (what.engine == "trtexec") return {"reproduce.sh", trtexec_script(what)};
  return {};
}

}  // namespace planex::jobs
