#include "ingest/tensorrt/appended_documents.h"

#include <algorithm>
#include <optional>

#include "base/numbers.h"
#include "base/statistics.h"
#include "base/text.h"
#include "ingest/json_text.h"
#include "ingest/tensorrt/profile_reader.h"
#include "ingest/tensorrt/times_reader.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kBlankBytes = " \t\r\n";

// The number after each `"key" :`, in order.
std::vector<double> numbers_of(std::string_view text, std::string_view quoted_key) {
  std::vector<double> numbers;
  for (std::size_t at = text.find(quoted_key); at != text.npos; at = text.find(quoted_key, at)) {
    at += quoted_key.size();
    const std::size_t colon = text.find_first_not_of(kBlankBytes, at);
    if (colon == text.npos || text[colon] != ':') continue;
    const std::size_t first = text.find_first_not_of(kBlankBytes, colon + 1);
    if (first == text.npos) break;
    constexpr std::size_t kLongest = 64;
    const auto number = base::finite(base::leading_number<double>(text.substr(first, kLongest)));
    if (number) numbers.push_back(*number);
  }
  return numbers;
}

std::optional<double> sum_of_layers(std::string_view text) {
  for (const std::string_view key : {"\"medianMs\"", "\"averageMs\""}) {
    const std::vector<double> numbers = numbers_of(text, key);
    if (numbers.empty()) continue;
    double sum = 0;
    for (const double number : numbers) sum += number;
    return sum;
  }
  return std::nullopt;
}

std::optional<double> median_of_inferences(std::string_view text) {
  for (const std::string_view key : {"\"computeMs\"", "\"latencyMs\""}) {
    std::vector<double> numbers = numbers_of(text, key);
    if (numbers.empty()) continue;
    std::ranges::sort(numbers);
    return base::quantile(numbers, 0.5);
  }
  return std::nullopt;
}

// Whether a list other than the first may begin anywhere. A quick check, because most files contain
// one document and are large.
bool may_have_second(std::string_view text) {
  for (std::size_t close = text.find(']'); close != text.npos; close = text.find(']', close + 1)) {
    const std::size_t next = text.find_first_not_of(kBlankBytes, close + 1);
    if (next == text.npos) return false;
    if (text[next] == '[') return true;
  }
  return false;
}

struct AppendedKind {
  Confidence (*sniff)(std::string_view head);
  std::optional<double> (*time_ms)(std::string_view text);
};

std::vector<RunDocument> documents_of(std::string_view text, TimedDocuments timed,
                                      const AppendedKind& kind) {
  std::vector<RunDocument> documents;
  std::size_t begin = std::min(text.find_first_not_of(kBlankBytes), text.size());
  while (text.substr(begin).starts_with('[') && (!documents.empty() || may_have_second(text))) {
    const std::string_view rest = text.substr(begin);
    const auto end = document_end(rest);
    // Truncated documents, and other kinds, are left to the reader and its messages.
    if (!end || kind.sniff(rest.substr(0, kSniffBytes)) == Confidence::kNo) break;
    documents.push_back(
        {.begin = begin, .size = *end, .time_ms = kind.time_ms(rest.substr(0, *end))});
    begin = std::min(text.find_first_not_of(kBlankBytes, begin + *end), text.size());
  }
  if (documents.size() > 1) return documents;
  RunDocument whole{.begin = 0, .size = text.size()};
  if (timed == TimedDocuments::kAll) whole.time_ms = kind.time_ms(text);
  return {whole};
}

}  // namespace

std::vector<RunDocument> profile_documents(std::string_view text, TimedDocuments timed) {
  return documents_of(text, timed, {sniff_profile, sum_of_layers});
}

std::vector<RunDocument> times_documents(std::string_view text, TimedDocuments timed) {
  return documents_of(text, timed, {sniff_times, median_of_inferences});
}

}  // namespace planex::ingest::tensorrt
