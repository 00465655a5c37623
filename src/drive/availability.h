// Which engines are installed here. Nothing is built or measured: planex looks for files and asks
// programs for their version.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"

namespace planex::drive {

struct AvailabilityRequest {
  // Where planex's helper programs are: the folder of the running executable.
  std::string program_dir;
  // Folders to search for programs, separated by colons: the environment's PATH.
  std::string search_path;
  // Timeout for each program that is asked.
  std::chrono::milliseconds timeout{5000};
};

struct Availability {
  std::string id;     // openvino, trtexec, tensorrt, tensorrt-rtx, onnxruntime
  std::string label;  // for people
  bool is_installed = false;
  std::string version;  // empty if it reports none
  std::string place;    // the program, or the package's name
  std::string looked_for;
  std::string install;  // how to get it
};

// The file of this name in the first of these folders that contains one. Folders are separated by
// colons.
std::optional<std::string> find_program(std::string_view search_path, std::string_view name);

// The Python of the virtual environment that planex itself is installed in, active or not:
// `program_dir`/python3. Nothing if planex is not in one.
std::optional<std::string> own_python(const std::string& program_dir);

// In the order in which planex prefers them.
std::vector<Availability> available_engines(const AvailabilityRequest& request,
                                            const Cancellation& cancellation);

// "10.16.1" from trtexec's first line, "… [TensorRT v101601] …"; empty if the text has none.
std::string trtexec_version(std::string_view text);

}  // namespace planex::drive
