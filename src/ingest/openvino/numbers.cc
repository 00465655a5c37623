#include "ingest/openvino/numbers.h"

#include "base/numbers.h"
#include "base/text.h"

namespace planex::ingest::openvino {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return base::number_in<std::int64_t>(base::trimmed(text));
}

std::optional<double> parse_number(std::string_view text) {
  return base::finite(base::number_in<double>(base::trimmed(text)));
}

}  // namespace planex::ingest::openvino
