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

// Versions that an engine can come from.
struct TensorrtVersions {
  TensorrtVersion first;                // 0.0 if nothing is known
  std::optional<TensorrtVersion> last;  // null: all later ones
};

// "8.2–8.4", "8.5", "8.6+", "10.x", "10.14.1", "11+"; anything else, and an empty text, is any
// version.
TensorrtVersions parse_tensorrt_versions(std::string_view text);

// Which part of trtexec's work an option affects. With a saved engine, build options do nothing.
enum class FlagScope : std::uint8_t { kBuild, kRun, kBoth };

struct TrtexecFlag {
  std::string_view name;  // without dashes
  TensorrtVersion first;
  // The last release that acts on it, and the last that accepts it; null: all later ones.
  std::optional<TensorrtVersion> last_effective, last_accepted;
  FlagScope scope = FlagScope::kBuild;
};

// By name.
std::span<const TrtexecFlag> trtexec_flags();
// Null if no known release has it.
const TrtexecFlag* find_flag(std::string_view name);

// Whether a command for any of these versions can use it: all of them know it, and it is not
// without effect in all. False for names that are not in the table.
bool has_effect(std::string_view name, const TensorrtVersions& versions);

// The words of a command line as trtexec prints its own: separated by blanks and not quoted, so a
// word that contains blanks is split.
std::vector<std::string> split_command(std::string_view line);

// "a" of "--name=a" or "--name a"; null if the words don't contain it.
std::optional<std::string> option_value(std::span<const std::string> words, std::string_view name);

}  // namespace planex::trtexec
