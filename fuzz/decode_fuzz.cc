// Any bytes, taken for packed or oddly encoded text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_model.h"
#include "ingest/decode.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t kHead = 4096;
  const std::string head = planex::ingest::decode_head(std::string(bytes), kHead);
  planex::fuzz::require(head.size() <= kHead);
  const auto decoded = planex::ingest::decode(planex::base::make_bytes(bytes), "input");
  if (!decoded) {
    planex::fuzz::check(decoded.error());
    return 0;
  }
  const std::string_view text = decoded->bytes->view();
  planex::fuzz::require(text.substr(0, kHead) == head);
  planex::fuzz::require(text.data()[text.size()] == '\0');
  (void)planex::ingest::with_escaped_controls(*decoded->bytes);
  return 0;
}
