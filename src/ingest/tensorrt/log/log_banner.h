// trtexec's first and last line: "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec ...".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::ingest::tensorrt {

enum class BannerWord : std::uint8_t { kNone, kRunning, kPassed, kFailed, kWaived };

// Views point into the line.
struct Banner {
  BannerWord word = BannerWord::kNone;
  std::string_view program;         // TensorRT.trtexec
  std::string_view version_digits;  // 8601; empty before TensorRT 8
  std::string_view command;
};

inline constexpr std::string_view kBannerStart = "&&&& ";

// `text` is a line without its prefix. Nothing if it is not a banner.
std::optional<Banner> parse_banner(std::string_view text);

// "8601" -> "8.6.1", "101601" -> "10.16.1". Empty if the digits are not a version of TensorRT.
std::string banner_version(std::string_view digits);

// The value of `--name=value`; empty if the option is missing or has no value.
std::string_view option_value(std::string_view command, std::string_view name);
bool has_option(std::string_view command, std::string_view name);

// The name without its folders.
std::string_view file_name(std::string_view path);

// The files of --exportLayerInfo, --exportProfile and --exportTimes, without folders.
std::vector<std::string> exported_files(std::string_view command);

}  // namespace planex::ingest::tensorrt
