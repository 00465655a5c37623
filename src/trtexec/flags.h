// Which options trtexec has in which version.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace planex::trtexec {

struct TensorrtVersion {
  int major = 0, minor = 0;
  auto operator<=>(const TensorrtVersion&) const = default;
};

// Versions that an engine may be of.
struct TensorrtVersions {
  TensorrtVersion first;                // 0.0 where nothing is known
  std::optional<TensorrtVersion> last;  // null: whatever came after
};

// "8.2–8.4", "8.5", "8.6+", "10.x", "10.14.1", "11+"; anything else, and nothing, is any version.
TensorrtVersions parse_tensorrt_versions(std::string_view text);

// What of trtexec's work an option is about. With a saved engine, those of the build do nothing.
enum class FlagScope : std::uint8_t { kBuild, kRun, kBoth };

struct TrtexecFlag {
  std::string_view name;  // without dashes
  TensorrtVersion first;
  // The last release that acts on it, and the last that accepts it; null: all since.
  std::optional<TensorrtVersion> last_effective, last_accepted;
  FlagScope scope = FlagScope::kBuild;
};

// By name.
std::span<const TrtexecFlag> trtexec_flags();
// Null where no release that is known has it.
const TrtexecFlag* find_flag(std::string_view name);

// Whether a command for any of these versions may have it: known to all of them, and not without
// effect in all. Names that are not in the table may not.
bool has_effect(std::string_view name, const TensorrtVersions& versions);

// The words of a command line as trtexec prints its own: parted by blanks and not quoted, so a word
// that has blanks comes apart.
std::vector<std::string> split_command(std::string_view line);

// "a" of "--name=a" or "--name a"; null where the words don't have it.
std::optional<std::string> option_value(std::span<const std::string> words, std::string_view name);

}  // namespace planex::trtexec
