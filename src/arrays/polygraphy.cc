#include "arrays/polygraphy.h"

#include <simdjson.h>
#include <sodium.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "arrays/npy.h"
#include "arrays/npz.h"
#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"

namespace planex::arrays {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

// Old files have the bytes of an array as text, one character per byte.
std::optional<std::string> bytes_of_latin1(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    const base::CodePoint next = base::first_code_point(text);
    constexpr std::int32_t kMaxLatin1 = 0xFF;
    if (next.value < 0 || next.value > kMaxLatin1) return std::nullopt;
    bytes += static_cast<char>(next.value);
    text.remove_prefix(next.length);
  }
  return bytes;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  // Four characters are three bytes.
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  const bool is_whole =
      sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                        text.size(), nullptr, &size, &end, sodium_base64_VARIANT_ORIGINAL) == 0 &&
      end == text.data() + text.size();
  if (!is_whole) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

// ~ and / of a name, escaped as in RFC 6901.
std::string pointer_step(std::string_view name) {
  std::string step = "/";
  for (const char c : name) {
    if (c == '~' || c == '/') {
      step += c == '~' ? "~0" : "~1";
    } else {
      step += c;
    }
  }
  return step;
}

// The document in its own order, which is the order of the outputs.
class PolygraphyReader {
 public:
  explicit PolygraphyReader(const std::string& path) : path_(path) {}

  Result<SavedArrays> read(const base::Bytes& bytes) {
    const std::string_view text = bytes.view();
    begin_ = text.data();
    ondemand::document document;
    const auto code = parser_.iterate(text.data(), text.size(), text.size() + base::Bytes::kPadding)
                          .get(document);
    if (code != simdjson::SUCCESS) return broken(code, "");
    ondemand::json_type type{};
    if (const auto failed = document.type().get(type)) return broken(failed, "");
    if (type == ondemand::json_type::array) {
      saved_.format = ArraysFormat::kPolygraphyInputs;
      ondemand::array root;
      if (const auto failed = document.get_array().get(root)) return broken(failed, "");
      PLANEX_TRY(read_inputs(root));
    } else {
      saved_.format = ArraysFormat::kPolygraphyOutputs;
      ondemand::object root;
      if (document.get_object().get(root)) return wrong("", "an object or an array");
      PLANEX_TRY(read_results(root));
    }
    if (!document.current_location().error()) return wrong("", "nothing after the document");
    return std::move(saved_);
  }

 private:
  // A place in the document, converted to text when needed.
  Failure wrong(std::string pointer, std::string_view expected) const {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not as Polygraphy saves it: expected {}", expected),
                 .file = path_,
                 .json_pointer = std::move(pointer)});
  }
  Failure broken(simdjson::error_code code, std::string pointer) const {
    if (code == simdjson::CAPACITY) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = "the file has more than the 4 GiB of JSON that are read",
                   .file = path_,
                   .hint = "save fewer outputs or iterations, or .npz"});
    }
    return fail(
        {.code = ErrorCode::kBadInput,
         .message = format("not JSON as Polygraphy saves it: {}", simdjson::error_message(code)),
         .file = path_,
         .json_pointer = std::move(pointer)});
  }

  // {"lst": [[RUNNER, [ITERATION, …]], …], "polygraphy_class": "RunResults"}
  Result<void> read_results(ondemand::object& root) {
    bool has_list = false;
    for (auto next : root) {
      ondemand::field field;
      if (const auto code = std::move(next).get(field)) return broken(code, "");
      PLANEX_ASSIGN(const std::string key, key_of(field, ""));
      if (key != "lst") continue;
      ondemand::array list;
      if (field.value().get_array().get(list)) return wrong("/lst", "an array");
      has_list = true;
      std::size_t index = 0;
      for (auto item : list) {
        const std::string place = format("/lst/{}", index++);
        ondemand::array pair;
        if (item.get_array().get(pair)) return wrong(place, "a runner's name and its iterations");
        PLANEX_TRY(read_runner(pair, place));
      }
    }
    if (has_list) return {};
    return fail({.code = ErrorCode::kBadInput,
                 .message = "not outputs that Polygraphy saved: there is no \"lst\"",
                 .file = path_,
                 .hint = "`polygraphy run … --save-outputs FILE` writes them"});
  }

  Result<void> read_runner(ondemand::array& pair, const std::string& place) {
    std::size_t index = 0;
    std::size_t run = 0;
    for (auto item : pair) {
      if (index == 0) {
        std::string_view name;
        if (item.get_string().get(name)) return wrong(place + "/0", "a runner's name");
        run = run_called(name);
      } else {
        ondemand::array iterations;
        if (index > 1 || item.get_array().get(iterations)) {
          return wrong(format("{}/{}", place, index), "an array of iterations, and nothing else");
        }
        std::size_t number = 0;
        for (auto iteration : iterations) {
          const std::string at = format("{}/1/{}", place, number++);
          ondemand::object object;
          if (iteration.get_object().get(object)) return wrong(at, "an iteration, an object");
          PLANEX_TRY(read_iteration(object, at, saved_.runs[run]));
        }
      }
      ++index;
    }
    if (index != 2) return wrong(place, "a runner's name and its iterations");
    return {};
  }

  std::size_t run_called(std::string_view name) {
    const auto found = std::ranges::find(saved_.runs, name, &ArrayRun::runner);
    const auto index = static_cast<std::size_t>(found - saved_.runs.begin());
    if (found == saved_.runs.end()) {
      saved_.runs.push_back({.runner = std::string(name), .iterations = {}});
    }
    return index;
  }

  // {"outputs": {NAME: ARRAY, …}, "runtime": …, "runner_name": …}
  Result<void> read_iteration(ondemand::object& object, const std::string& place, ArrayRun& run) {
    Iteration iteration;
    bool has_outputs = false;
    for (auto next : object) {
      ondemand::field field;
      if (const auto code = std::move(next).get(field)) return broken(code, place);
      PLANEX_ASSIGN(const std::string key, key_of(field, place));
      if (key != "outputs") continue;
      ondemand::object outputs;
      if (field.value().get_object().get(outputs)) return wrong(place + "/outputs", "an object");
      has_outputs = true;
      PLANEX_TRY(read_arrays(outputs, place + "/outputs", iteration));
    }
    if (!has_outputs) return wrong(place, "the key \"outputs\"");
    run.iterations.push_back(std::move(iteration));
    return {};
  }

  // [{NAME: ARRAY, …}, …]
  Result<void> read_inputs(ondemand::array& root) {
    ArrayRun& run = saved_.runs.emplace_back();
    std::size_t index = 0;
    for (auto item : root) {
      const std::string place = format("/{}", index++);
      ondemand::object object;
      if (const auto code = item.error(); code != simdjson::SUCCESS) return broken(code, place);
      if (item.get_object().get(object)) return wrong(place, "the inputs of an iteration");
      PLANEX_TRY(read_arrays(object, place, run.iterations.emplace_back()));
    }
    return {};
  }

  Result<void> read_arrays(ondemand::object& object, const std::string& place,
                           Iteration& iteration) {
    for (auto next : object) {
      ondemand::field field;
      if (const auto code = std::move(next).get(field)) return broken(code, place);
      PLANEX_ASSIGN(std::string name, key_of(field, place));
      const std::string at = place + pointer_step(name);
      ondemand::value value = field.value();
      PLANEX_ASSIGN(Array array, array_of(value, at, kMaxWrappers));
      iteration.arrays.push_back({std::move(name), std::move(array)});
    }
    return {};
  }

  // {"array": TEXT, …} or, as saved later, {"values": {"array": TEXT, …}, …}. The class name comes
  // after it, and adds nothing.
  Result<Array> array_of(ondemand::value& value, const std::string& place, int wrappers) {
    ondemand::object object;
    if (value.get_object().get(object)) return wrong(place, "an array, as an object");
    std::optional<Array> array;
    for (auto next : object) {
      ondemand::field field;
      if (const auto code = std::move(next).get(field)) return broken(code, place);
      PLANEX_ASSIGN(const std::string key, key_of(field, place));
      ondemand::value inner = field.value();
      if (key == "tensor") {
        return fail({.code = ErrorCode::kUnsupported,
                     .message = "a tensor of torch, which can't be unpacked without torch",
                     .file = path_,
                     .json_pointer = place,
                     .hint = "convert outputs to NumPy before they are saved: tensor.numpy()"});
      }
      if (key == "array") {
        PLANEX_ASSIGN(array, array_of_text(inner, place + "/array"));
      } else if (key == "values" && wrappers > 0) {
        PLANEX_ASSIGN(array, array_of(inner, place + "/values", wrappers - 1));
      }
    }
    if (!array) return wrong(place, "the key \"array\" or \"values\"");
    return *std::move(array);
  }

  Result<Array> array_of_text(ondemand::value& value, const std::string& place) {
    // Text without escapes is not copied: it may be most of the file.
    std::string_view token = value.raw_json_token();
    const std::size_t end = token.find_last_of('"');
    std::optional<std::string> bytes;
    const bool is_text = token.starts_with('"') && end != token.npos && end > 0;
    if (!is_text) return wrong(place, "the bytes of an .npy as text");
    const std::string_view inside = token.substr(1, end - 1);
    std::string_view text;
    if (inside.contains('\\')) {
      if (const auto code = value.get_string().get(text)) return broken(code, place);
    } else {
      // Checked as base64 right away, or as text of UTF-8.
      text = inside;
    }
    const auto offset = static_cast<std::uint64_t>(token.data() - begin_);
    // "PK" alone can also be base64.
    constexpr std::string_view kTextOfNpy = "\xC2\x93NUMPY";
    const bool is_latin1 = text.starts_with(kTextOfNpy) || is_zip(text);
    bytes = is_latin1 ? bytes_of_latin1(text) : bytes_of_base64(text);
    if (!bytes) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = "the array is not base64",
                   .file = path_,
                   .json_pointer = place,
                   .byte_offset = offset});
    }
    auto array = is_zip(*bytes) ? first_of_npz(*bytes) : adopt_npy(*std::move(bytes), path_);
    if (array) return *std::move(array);
    // Offsets in the array say nothing about this file.
    Error error = std::move(array).error();
    error.file = path_;
    error.json_pointer = place;
    error.byte_offset = offset;
    return fail(std::move(error));
  }

  Result<Array> first_of_npz(const std::string& bytes) const {
    PLANEX_ASSIGN(SavedArrays arrays, read_npz(bytes, path_));
    return std::move(arrays.runs.front().iterations.front().arrays.front().array);
  }

  Result<std::string> key_of(ondemand::field& field, const std::string& place) const {
    std::string_view key;
    if (const auto code = field.unescaped_key().get(key)) return broken(code, place);
    return std::string(key);
  }

  // {"values": {"array": …}}; no file nests deeper.
  static constexpr int kMaxWrappers = 2;

  const std::string& path_;
  const char* begin_ = nullptr;
  ondemand::parser parser_;
  SavedArrays saved_;
};

}  // namespace

Result<SavedArrays> read_polygraphy(const base::Bytes& bytes, const std::string& path) {
  return PolygraphyReader(path).read(bytes);
}

}  // namespace planex::arrays
