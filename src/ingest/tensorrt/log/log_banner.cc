#include "ingest/tensorrt/log/log_banner.h"

#include <array>
#include <charconv>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

struct WordName {
  std::string_view name;
  BannerWord word;
};
constexpr std::array<WordName, 4> kBannerWords = {{{"RUNNING", BannerWord::kRunning},
                                                   {"PASSED", BannerWord::kPassed},
                                                   {"FAILED", BannerWord::kFailed},
                                                   {"WAIVED", BannerWord::kWaived}}};

// Removes the next word and the blanks after it.
std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.find_first_not_of(' ', end), rest.size()));
  return word;
}

// Calls `use(name, value)` for each word that begins with "--".
template <typename Use>
void for_each_option(std::string_view command, const Use& use) {
  while (!command.empty()) {
    std::string_view word = take_word(command);
    if (!word.starts_with("--")) continue;
    word.remove_prefix(2);
    const std::size_t equals = std::min(word.find('='), word.size());
    use(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
  }
}

}  // namespace

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");  // trtexec runs on Windows too
  return slash == path.npos ? path : path.substr(slash + 1);
}

std::optional<Banner> parse_banner(std::string_view text) {
  if (!text.starts_with(kBannerStart)) return std::nullopt;
  std::string_view rest = text.substr(kBannerStart.size());
  Banner banner;
  const std::string_view name = take_word(rest);
  for (const WordName& entry : kBannerWords) {
    if (entry.name == name) banner.word = entry.word;
  }
  if (banner.word == BannerWord::kNone) return std::nullopt;
  banner.program = take_word(rest);
  while (rest.starts_with('[')) {
    const std::size_t close = rest.find(']');
    if (close == rest.npos) break;
    const std::string_view bracket = rest.substr(1, close - 1);
    if (const std::size_t v = bracket.rfind(" v"); v != bracket.npos) {
      banner.version_digits = bracket.substr(v + 2);
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' ', close + 1), rest.size()));
  }
  if (rest.starts_with('#')) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' ', 1), rest.size()));
    banner.command = base::trimmed(rest);
  }
  return banner;
}

std::string banner_version(std::string_view digits) {
  constexpr std::size_t kMinDigits = 4, kMaxDigits = 6;
  std::uint32_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number);
  if (digits.size() < kMinDigits || digits.size() > kMaxDigits || parsed.ec != std::errc() ||
      parsed.ptr != end) {
    return {};
  }
  // Up to 9 the minor version has one digit, from 10 on two.
  constexpr std::uint32_t kFirstTwoDigitMinor = 10000;
  const std::uint32_t major_unit = number < kFirstTwoDigitMinor ? 1000 : 10000;
  return base::format("{}.{}.{}", number / major_unit, number % major_unit / 100, number % 100);
}

std::string_view option_value(std::string_view command, std::string_view name) {
  std::string_view result;
  for_each_option(command, [&](std::string_view option, std::string_view value) {
    if (option == name) result = value;
  });
  return result;
}

bool has_option(std::string_view command, std::string_view name) {
  bool found = false;
  for_each_option(
      command, [&](std::string_view option, std::string_view) { found = found || option == name; });
  return found;
}

std::vector<std::string> exported_files(std::string_view command) {
  std::vector<std::string> files;
  for_each_option(command, [&](std::string_view option, std::string_view value) {
    const bool exports =
        option == "exportLayerInfo" || option == "exportProfile" || option == "exportTimes";
    if (exports && !file_name(value).empty()) files.emplace_back(file_name(value));
  });
  return files;
}

}  // namespace planex::ingest::tensorrt
