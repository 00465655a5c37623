// Which options trtexec has in which version, as far as planex names them in commands.
#ifndef PLANEX_ANALYZE_TRTEXEC_FLAGS_H_
#define PLANEX_ANALYZE_TRTEXEC_FLAGS_H_

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace planex::analyze {

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

struct TrtexecFlag {
  std::string_view name;  // without dashes
  TensorrtVersion first;
  // The last release that acts on it, and the last that accepts it; null: all since.
  std::optional<TensorrtVersion> last_effective, last_accepted;
};

// Of the options below, those that exist; from the option parsers of all releases of trtexec.
std::span<const TrtexecFlag> trtexec_flags();

// Whether a command for any of these versions may have it: known to all of them, and not without
// effect in all. Names that are not in the table may not.
bool has_effect(std::string_view name, const TensorrtVersions& versions);

// The words of a command line as trtexec prints its own: parted by blanks and not quoted, so a word
// that has blanks comes apart.
std::vector<std::string> split_command(std::string_view line);

// "a" of "--name=a" or "--name a"; null where the words don't have it.
std::optional<std::string> option_value(std::span<const std::string> words, std::string_view name);

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_TRTEXEC_FLAGS_H_
