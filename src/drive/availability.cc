#include "drive/availability.h"

#include <algorithm>
#include <charconv>

#include "base/files.h"
#include "base/text.h"
#include "drive/subprocess.h"

namespace planex::drive {
namespace {

using base::format;

// Programs answer a version request in less than this; further output is not read.
constexpr std::size_t kMaxOutputBytes = 256 * 1024;

// What a program prints; empty if it fails or takes too long.
std::string output_of(std::vector<std::string> arguments, const AvailabilityRequest& request,
                      const Cancellation& cancellation) {
  std::string output;
  SubprocessRequest subprocess;
  subprocess.arguments = std::move(arguments);
  subprocess.timeout = request.timeout;
  subprocess.grace = std::chrono::milliseconds(200);
  subprocess.on_stdout = [&](std::string_view chunk) {
    output += chunk.substr(0, kMaxOutputBytes - std::min(kMaxOutputBytes, output.size()));
  };
  // A program that can't be started has no version either.
  const auto outcome = run_subprocess(subprocess, cancellation);
  return outcome ? output : std::string();
}

Availability openvino(const AvailabilityRequest& request, const Cancellation& cancellation) {
  Availability engine{.id = "openvino",
                      .label = "OpenVINO",
                      .looked_for = "planex-openvino beside planex",
                      .install = "build planex with -DPLANEX_BUILD_OPENVINO=ON"};
  const std::string program = base::join_path(request.program_dir, "planex-openvino");
  if (base::disk().kind(program) != base::PathKind::kFile) return engine;
  engine.is_installed = true;
  engine.place = program;
  const std::string said = output_of({program, "--version"}, request, cancellation);
  // "planex-openvino 0.1.0, OpenVINO 2026.4.1-…".
  constexpr std::string_view kWord = "OpenVINO ";
  const std::size_t at = said.find(kWord);
  if (at != said.npos) {
    const std::string_view rest = std::string_view(said).substr(at + kWord.size());
    engine.version = rest.substr(0, rest.find_first_of(" \n-,)"));
  }
  return engine;
}

Availability trtexec(const AvailabilityRequest& request, const Cancellation& cancellation) {
  Availability engine{.id = "trtexec",
                      .label = "TensorRT",
                      .looked_for = "trtexec on the PATH",
                      .install =
                          "install NVIDIA TensorRT with its tools (trtexec is not in the "
                          "Python package), and put its bin folder on the PATH"};
  const auto program = find_program(request.search_path, "trtexec");
  if (!program) return engine;
  engine.is_installed = true;
  engine.place = *program;
  // Its first line says the version, whatever else fails.
  engine.version = trtexec_version(output_of({*program, "--help"}, request, cancellation));
  return engine;
}

// Versions of the packages in planex's own Python, otherwise in the first Python on the PATH. The
// packages themselves are not loaded, which would take seconds.
struct PythonPackages {
  std::string python;  // empty if there is none
  std::string lines;   // "name version", one package a line
};

PythonPackages ask_python(const AvailabilityRequest& request, const Cancellation& cancellation) {
  // Forget the current folder first: files there could shadow Python's own modules.
  constexpr std::string_view kScript =
      "import sys; sys.path[:] = [p for p in sys.path if p]\n"
      "import importlib.metadata as m\n"
      "for d in m.distributions():\n"
      "    n = str(d.metadata['Name']).lower().replace('_', '-')\n"
      "    if n.startswith(('onnxruntime', 'tensorrt')): print(n, d.version)\n";
  PythonPackages packages;
  auto python = own_python(request.program_dir);
  if (!python) python = find_program(request.search_path, "python3");
  if (!python) return packages;
  packages.python = *python;
  packages.lines = output_of({*python, "-c", std::string(kScript)}, request, cancellation);
  return packages;
}

// Finds a package by the start of its name: several packages provide the same module, for different
// devices.
Availability python_package(std::string_view id, std::string_view label, std::string_view module,
                            std::string_view to_install, const PythonPackages& packages) {
  Availability engine{.id = std::string(id),
                      .label = std::string(label),
                      .looked_for = packages.python.empty() ? "python3 on the PATH"
                                                            : format("{} in the packages of {}",
                                                                     module, packages.python),
                      .install = format("python3 -m pip install {}", to_install)};
  std::string_view rest = packages.lines;
  while (!rest.empty()) {
    const std::string_view line = base::take_part(rest, '\n');
    const std::size_t blank = line.find(' ');
    // Other vendors' extensions and tools have longer names, such as onnxruntime-extensions.
    const std::string_view name = line.substr(0, blank);
    if (blank == line.npos || !name.starts_with(module)) continue;
    const std::string_view variant = name.substr(module.size());
    if (variant == "-extensions" || variant == "-tools" || variant == "-genai") continue;
    if (variant.starts_with("-llm") || (id == "tensorrt" && variant.starts_with("-rtx"))) continue;
    engine.is_installed = true;
    engine.place = name;
    engine.version = base::trimmed(line.substr(blank));
    break;
  }
  return engine;
}

}  // namespace

std::optional<std::string> find_program(std::string_view search_path, std::string_view name) {
  while (!search_path.empty()) {
    const std::string_view folder = base::take_part(search_path, ':');
    // To a shell an empty entry means the current folder, which would surprise everyone else.
    if (folder.empty()) continue;
    std::string path = base::join_path(folder, name);
    if (base::disk().kind(path) == base::PathKind::kFile) return path;
  }
  return std::nullopt;
}

std::optional<std::string> own_python(const std::string& program_dir) {
  const base::FileSource& disk = base::disk();
  const std::string marker = base::join_path(base::folder_of(program_dir), "pyvenv.cfg");
  std::string python = base::join_path(program_dir, "python3");
  if (program_dir.empty() || disk.kind(marker) != base::PathKind::kFile) return std::nullopt;
  if (disk.kind(python) != base::PathKind::kFile) return std::nullopt;
  return python;
}

std::string trtexec_version(std::string_view text) {
  constexpr std::string_view kMark = "[TensorRT v";
  const std::size_t at = text.find(kMark);
  if (at == text.npos) return {};
  const std::string_view digits = text.substr(at + kMark.size());
  int number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec != std::errc() || number <= 0) return {};
  // 8601 is 8.6.1; from 10.0 on the major number counts in ten thousands: 101601 is 10.16.1.
  constexpr int kNewRule = 10'000;
  const int major_step = number < kNewRule ? 1000 : 10'000;
  return format("{}.{}.{}", number / major_step, number % major_step / 100, number % 100);
}

std::vector<Availability> available_engines(const AvailabilityRequest& request,
                                            const Cancellation& cancellation) {
  std::vector<Availability> engines;
  engines.push_back(openvino(request, cancellation));
  engines.push_back(trtexec(request, cancellation));
  const PythonPackages packages = ask_python(request, cancellation);
  engines.push_back(
      python_package("tensorrt", "TensorRT (Python)", "tensorrt", "tensorrt", packages));
  engines.push_back(python_package("tensorrt-rtx", "TensorRT-RTX", "tensorrt-rtx",
                                   "tensorrt-rtx-cu12", packages));
  engines.push_back(
      python_package("onnxruntime", "ONNX Runtime", "onnxruntime", "onnxruntime", packages));
  return engines;
}

}  // namespace planex::drive
