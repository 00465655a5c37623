#include "ingest/discover/decode.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/pasted_text.h"
#include "ingest/discover/python_text.h"

namespace planex::ingest {
namespace {

using base::format;

constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr std::string_view kUtf16LittleMark = "\xff\xfe";
constexpr std::string_view kUtf16BigMark = "\xfe\xff";

// --- gzip ---

class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16;
    is_ready_ = ::inflateInit2(&stream_, kGzipOnly + MAX_WBITS) == Z_OK;
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (is_ready_) ::inflateEnd(&stream_);
  }

  enum class State { kMore, kEnd, kCut, kDamaged, kFull };

  struct Unpacked {
    std::string text;
    State state = State::kDamaged;
    std::size_t used = 0;  // bytes read from the compressed file
    std::string why;
  };

  // Unpacks all members, up to `limit` bytes and as long as too_much() allows.
  Unpacked unpack(std::string_view packed, std::uint64_t limit) {
    Unpacked result;
    if (!is_ready_) {
      result.why = "not enough memory to unpack it";
      return result;
    }
    constexpr std::size_t kStep = 256 * 1024;
    std::array<char, kStep> buffer;
    result.text.reserve(std::min<std::uint64_t>(expected_size(packed), limit));
    while (true) {
      // zlib counts with 32 bits.
      const std::size_t in_step =
          std::min<std::size_t>(packed.size() - result.used, std::numeric_limits<uInt>::max() / 2);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + result.used));
      stream_.avail_in = static_cast<uInt>(in_step);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(buffer.size());
      const int code = ::inflate(&stream_, Z_NO_FLUSH);
      result.used += in_step - stream_.avail_in;
      result.text.append(buffer.data(), buffer.size() - stream_.avail_out);
      if (result.text.size() >= limit) {
        result.text.resize(limit);
        result.state = State::kFull;
        return result;
      }
      result.why = too_much(packed.size(), result.text.size());
      if (!result.why.empty()) {
        result.state = State::kFull;
        return result;
      }
      if (code == Z_STREAM_END) {
        // Another member may follow, as produced by `cat a.gz b.gz`.
        if (!packed.substr(result.used).starts_with(kGzipMagic)) {
          result.state = State::kEnd;
          return result;
        }
        ::inflateReset(&stream_);
        continue;
      }
      if (code == Z_BUF_ERROR ||
          (code == Z_OK && result.used == packed.size() && stream_.avail_out > 0)) {
        result.state = State::kCut;
        return result;
      }
      if (code != Z_OK) {
        result.state = State::kDamaged;
        result.why = stream_.msg != nullptr ? stream_.msg : "no details";
        return result;
      }
    }
  }

 private:
  // A text that grows by doubling needs twice its memory. The last four bytes are the size of the
  // last member, but can be anything; no more than the unpacking limit is reserved, and pages that
  // are not written cost nothing.
  static std::uint64_t expected_size(std::string_view packed) {
    constexpr std::size_t kSizeBytes = 4, kMin = 18;
    if (packed.size() < kMin) return 0;
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < kSizeBytes; ++i) {
      size = size << 8 | static_cast<unsigned char>(packed[packed.size() - 1 - i]);
    }
    const std::uint64_t most = std::max(kRatioCountsFromBytes, packed.size() * kMaxUnpackedRatio);
    return std::min(size, most) + base::Bytes::kPadding;
  }

  z_stream stream_{};
  bool is_ready_ = false;
};

Failure cannot_unpack(const Inflater::Unpacked& unpacked, const std::string& path) {
  Error error{.code = ErrorCode::kBadInput, .file = path, .byte_offset = unpacked.used};
  switch (unpacked.state) {
    case Inflater::State::kCut:
      error.message = "the gzip file is truncated";
      error.context = format("{} bytes could be unpacked", unpacked.text.size());
      error.hint = "the file is truncated: copy or write it again";
      break;
    case Inflater::State::kFull:
      error.message = format("the gzip file is too large when unpacked: {}", unpacked.why);
      error.hint = "if that is intended, unpack it yourself: `gunzip -k FILE`";
      break;
    default:
      error.message = "the gzip file is damaged";
      error.context = format("zlib says: {}", unpacked.why);
      error.hint = "copy or write it again";
      break;
  }
  return fail(std::move(error));
}

Result<std::string> unpack(std::string_view packed, const std::string& path) {
  Inflater::Unpacked unpacked = Inflater().unpack(packed, std::numeric_limits<std::size_t>::max());
  if (unpacked.state == Inflater::State::kEnd) return std::move(unpacked.text);
  return cannot_unpack(unpacked, path);
}

// --- UTF-16 ---

enum class Utf16 : std::uint8_t { kNot, kLittle, kBig };

// Whether every second byte of the first characters is NUL and the others are ASCII text.
Utf16 guess_utf16(std::string_view text) {
  constexpr std::size_t kMin = 4;
  constexpr std::size_t kLooked = 64;
  if (text.size() < kMin || text.substr(0, kLooked).find('\0') == text.npos) {
    return Utf16::kNot;
  }
  const std::string_view head = text.substr(0, std::min(text.size(), kLooked) / 2 * 2);
  const auto is_text = [](char c) {
    return (c >= 0x20 && c < 0x7f) || c == '\t' || c == '\n' || c == '\r' || c == '\x1b';
  };
  bool little = true, big = true;
  for (std::size_t at = 0; at < head.size(); at += 2) {
    little = little && is_text(head[at]) && head[at + 1] == '\0';
    big = big && head[at] == '\0' && is_text(head[at + 1]);
  }
  if (little) return Utf16::kLittle;
  return big ? Utf16::kBig : Utf16::kNot;
}

struct Utf8Text {
  std::string text;
  std::size_t replaced = 0;
};

Utf8Text from_utf16(std::string_view text, Utf16 order) {
  Utf8Text result;
  result.text.reserve(text.size() / 2);
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const auto second = static_cast<unsigned char>(text[at + 1]);
    return static_cast<std::uint32_t>(order == Utf16::kLittle ? first | second << 8
                                                              : first << 8 | second);
  };
  const auto is_high = [](std::uint32_t c) { return c >= 0xD800 && c < 0xDC00; };
  const auto is_low = [](std::uint32_t c) { return c >= 0xDC00 && c < 0xE000; };
  const auto put = [&](std::uint32_t byte) { result.text += static_cast<char>(byte); };
  std::size_t at = 0;
  while (at + 1 < text.size()) {
    std::uint32_t c = unit(at);
    at += 2;
    if (is_high(c) && at + 1 < text.size() && is_low(unit(at))) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(at) - 0xDC00);
      at += 2;
    } else if (is_high(c) || is_low(c)) {
      c = 0xFFFD;
      ++result.replaced;
    }
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xC0 | c >> 6);
      put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      put(0xE0 | c >> 12);
      put(0x80 | (c >> 6 & 0x3F));
      put(0x80 | (c & 0x3F));
    } else {
      put(0xF0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3F));
      put(0x80 | (c >> 6 & 0x3F));
      put(0x80 | (c & 0x3F));
    }
  }
  if (at < text.size()) {
    // Half a character.
    result.text += "\xef\xbf\xbd";
    ++result.replaced;
  }
  return result;
}

// --- Colors ---

// The end of the code at text[at] that sets a color, "ESC [ 0 ; 3 1 m", or clears a line, as in
// logs of GitLab, "ESC [ 0 K"; otherwise `at`.
std::size_t end_of_color_code(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("\x1b[")) return at;
  std::size_t end = at + 2;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == ';')) ++end;
  return end < text.size() && (text[end] == 'm' || text[end] == 'K') ? end + 1 : at;
}

// Whether the text is lines written for a terminal. Names in JSON and XML may also contain such
// codes and stay unchanged; so does anything that is not text.
bool has_color_codes(std::string_view text) {
  constexpr std::size_t kLooked = 64 * 1024;
  const std::size_t first = text.substr(0, kLooked).find("\x1b[");
  if (first == text.npos || end_of_color_code(text, first) == first) return false;
  return is_lines_of_text(text);
}

std::string without_color_codes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find('\x1b'), text.size());
    plain += text.substr(0, escape);
    text.remove_prefix(escape);
    if (text.empty()) break;
    const std::size_t end = end_of_color_code(text, 0);
    if (end == 0) plain += text.front();
    text.remove_prefix(std::max<std::size_t>(end, 1));
  }
  return plain;
}

// --- All of it ---

struct Encoding {
  std::size_t mark_bytes = 0;
  Utf16 utf16 = Utf16::kNot;
};

Encoding encoding_of(std::string_view text) {
  if (text.starts_with(kUtf8Mark)) return {kUtf8Mark.size(), Utf16::kNot};
  if (text.starts_with(kUtf16LittleMark)) return {kUtf16LittleMark.size(), Utf16::kLittle};
  if (text.starts_with(kUtf16BigMark)) return {kUtf16BigMark.size(), Utf16::kBig};
  return {0, guess_utf16(text)};
}

}  // namespace

std::string too_much(std::uint64_t packed, std::uint64_t unpacked) {
  if (unpacked > kMaxFileBytes) {
    return format("more than {} GiB", kMaxFileBytes >> 30);
  }
  if (unpacked > kRatioCountsFromBytes && unpacked / kMaxUnpackedRatio > packed) {
    return format("{} bytes expand by a factor of more than {}", packed, kMaxUnpackedRatio);
  }
  return {};
}

bool is_packed(std::string_view head) { return head.starts_with(kGzipMagic); }

Result<Decoded> decode(std::shared_ptr<const base::Bytes> bytes, const std::string& path) {
  Decoded decoded{.bytes = std::move(bytes)};
  const auto report = [&](std::string_view code, model::Severity severity, std::string message) {
    decoded.diagnostics.push_back(
        {.code = code, .severity = severity, .message = std::move(message), .file = path});
  };
  std::string_view text = decoded.bytes->view();
  if (text.size() > kMaxFileBytes) {
    return fail(
        {.code = ErrorCode::kUnsupported,
         .message = format("has {} bytes; the limit is {} GiB", text.size(), kMaxFileBytes >> 30),
         .file = path});
  }
  std::string unpacked;
  bool is_converted = false;
  if (text.starts_with(kGzipMagic)) {
    PLANEX_ASSIGN(unpacked, unpack(text, path));
    report("compressed", model::Severity::kInfo,
           format("the file is compressed with gzip; offsets refer to the {} unpacked bytes",
                  unpacked.size()));
    is_converted = true;
    text = unpacked;
  }
  const Encoding encoding = encoding_of(text);
  std::string converted;
  if (encoding.utf16 != Utf16::kNot) {
    Utf8Text utf8 = from_utf16(text.substr(encoding.mark_bytes), encoding.utf16);
    report("utf-16", model::Severity::kInfo,
           "the file is UTF-16, as PowerShell writes it; offsets refer to the same text in UTF-8");
    if (utf8.replaced > 0) {
      report("utf-16-damaged", model::Severity::kWarning,
             format("{} of UTF-16 became U+FFFD, so names that contain them are changed",
                    base::counted(utf8.replaced, "half character")));
    }
    converted = std::move(utf8.text);
    unpacked = {};
    text = converted;
    is_converted = true;
  } else if (encoding.mark_bytes > 0) {
    report("byte-order-mark", model::Severity::kInfo,
           format("the byte-order mark was skipped; offsets are counted from after it"));
    text.remove_prefix(encoding.mark_bytes);
    is_converted = true;
  }
  if (has_color_codes(text)) {
    report("color-codes", model::Severity::kInfo,
           "terminal color codes were removed; offsets are counted without them");
    converted = without_color_codes(text);
    text = converted;
    is_converted = true;
  }
  if (auto unwrapped = unwrap(text)) {
    report("pasted-text", model::Severity::kInfo,
           format("{} were removed; line numbers are unchanged, offsets are counted without them",
                  unwrapped->what));
    converted = std::move(unwrapped->text);
    text = converted;
    is_converted = true;
  }
  if (auto layers = from_python(text)) {
    report("pasted-text", model::Severity::kInfo,
           "Python's representation of layers (quotes, \\n, dicts, a logger's prefix) was "
           "converted to JSON; offsets refer to that JSON");
    converted = std::move(*layers);
    text = converted;
    is_converted = true;
  }
  if (!is_converted) return decoded;
  if (text.data() == converted.data()) {
    decoded.bytes = base::adopt_bytes(std::move(converted));
  } else if (text.data() == unpacked.data()) {
    decoded.bytes = base::adopt_bytes(std::move(unpacked));
  } else {
    decoded.bytes = base::make_bytes(text);
  }
  return decoded;
}

Result<std::string> decode_head(std::string head, std::size_t limit, const std::string& path) {
  if (std::string_view(head).starts_with(kGzipMagic)) {
    Inflater::Unpacked unpacked = Inflater().unpack(head, limit);
    // A head can end anywhere; only the whole file shows whether that is too early.
    if (unpacked.state == Inflater::State::kDamaged) return cannot_unpack(unpacked, path);
    head = std::move(unpacked.text);
  }
  const Encoding encoding = encoding_of(head);
  if (encoding.utf16 != Utf16::kNot) {
    head = from_utf16(std::string_view(head).substr(encoding.mark_bytes), encoding.utf16).text;
  } else {
    head.erase(0, encoding.mark_bytes);
  }
  if (has_color_codes(head)) head = without_color_codes(head);
  if (auto unwrapped = unwrap(head)) head = std::move(unwrapped->text);
  if (auto layers = from_python(head)) head = std::move(*layers);
  if (head.size() > limit) head.resize(limit);
  return head;
}

}  // namespace planex::ingest
