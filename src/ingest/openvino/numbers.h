// Numbers in the texts that OpenVINO's tools write.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::ingest::openvino {

// The whole text, ignoring surrounding blanks. Nothing if it is not an integer or too large for
// one.
std::optional<std::int64_t> parse_integer(std::string_view text);

// The same for a finite number: "nan" and "inf" are rejected.
std::optional<double> parse_number(std::string_view text);

}  // namespace planex::ingest::openvino
