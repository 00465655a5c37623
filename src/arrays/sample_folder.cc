#include "arrays/sample_folder.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <simdjson.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file_pieces.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"

namespace planex::arrays {
namespace {

using base::format;

constexpr std::string_view kSchema = "planex.samples/1";
constexpr std::string_view kIndexName = "samples.json";

std::string data_path(const std::string& folder, std::size_t input) {
  return base::join_path(folder, format("{}.bin", input));
}

// Bytes of one sample; null where the shape is not a valid size.
std::optional<std::int64_t> sample_bytes(const SampleInput& input) {
  const std::optional<std::int64_t> count = element_count(input.shape);
  std::int64_t bytes = 0;
  if (!count || __builtin_mul_overflow(
                    *count, static_cast<std::int64_t>(bytes_per_element(input.type)), &bytes)) {
    return std::nullopt;
  }
  return bytes;
}

// --- Writing ---

using IndexJson = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

void put_text(IndexJson& json, std::string_view text) {
  const std::string valid = base::valid_utf8(text);
  json.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
}

void put_field(IndexJson& json, const char* key, std::string_view text) {
  json.Key(key);
  put_text(json, text);
}

std::string index_text(const SampleIndex& index) {
  rapidjson::StringBuffer buffer;
  IndexJson json(buffer);
  json.SetIndent(' ', 1);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.StartObject();
  put_field(json, "schema", kSchema);
  json.Key("inputs");
  json.StartArray();
  for (const SampleInput& input : index.inputs) {
    json.StartObject();
    put_field(json, "name", input.name);
    put_field(json, "type", to_string(input.type));
    json.Key("shape");
    json.StartArray();
    for (const std::int64_t dim : input.shape) json.Int64(dim);
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.Key("preparation");
  json.StartArray();
  for (const std::string& step : index.preparation) put_text(json, step);
  json.EndArray();
  json.Key("samples");
  json.StartArray();
  for (const SampleSource& sample : index.samples) {
    json.StartObject();
    put_field(json, "name", sample.name);
    if (!sample.label.empty()) put_field(json, "label", sample.label);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  std::string text(buffer.GetString(), buffer.GetSize());
  text += '\n';
  return text;
}

class Writer final : public SampleWriter {
 public:
  Writer(std::string folder, std::vector<SampleInput> inputs) : folder_(std::move(folder)) {
    index_.inputs = std::move(inputs);
  }

  Result<void> open() {
    std::error_code code;
    std::filesystem::create_directories(folder_, code);
    if (code) {
      return fail({.code = ErrorCode::kIo,
                   .message = format("can't make the folder: {}", code.message()),
                   .file = folder_});
    }
    // Samples of an earlier run count as complete as long as their index exists.
    std::filesystem::remove(base::join_path(folder_, kIndexName), code);
    for (std::size_t i = 0; i < index_.inputs.size(); ++i) {
      const SampleInput& input = index_.inputs[i];
      const std::optional<std::int64_t> bytes = sample_bytes(input);
      if (!bytes) {
        return fail(ErrorCode::kInternal,
                    format("the shape {} of the input {} has no size", shape_text(input.shape),
                           base::quoted(input.name)));
      }
      sizes_.push_back(static_cast<std::size_t>(*bytes));
      PLANEX_ASSIGN(base::FileWriter file, base::FileWriter::create(data_path(folder_, i)));
      files_.push_back(std::move(file));
    }
    return {};
  }

  Result<void> add(const SampleSource& source, std::span<const std::string_view> data) override {
    if (data.size() != sizes_.size()) {
      return fail(ErrorCode::kInternal,
                  format("a sample has {} inputs, expected {}", data.size(), sizes_.size()));
    }
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (data[i].size() != sizes_[i]) {
        return fail(ErrorCode::kInternal,
                    format("input {} of a sample has {} bytes, expected {}",
                           base::quoted(index_.inputs[i].name), data[i].size(), sizes_[i]));
      }
    }
    for (std::size_t i = 0; i < data.size(); ++i) PLANEX_TRY(files_[i].write(data[i]));
    index_.samples.push_back(source);
    return {};
  }

  Result<void> finish(std::vector<std::string> preparation) override {
    index_.preparation = std::move(preparation);
    PLANEX_TRY(base::FileWriter::finish_all(files_));
    return base::write_file_atomically(base::join_path(folder_, kIndexName), index_text(index_));
  }

 private:
  std::string folder_;
  SampleIndex index_;
  std::vector<std::size_t> sizes_;  // of one sample, of each input
  std::vector<base::FileWriter> files_;
};

// --- Reading ---

using JsonValue = simdjson::dom::element;

// The index, value by value; errors name the place.
class IndexReader {
 public:
  explicit IndexReader(const std::string& path) : path_(path) {}

  Result<SampleIndex> read(const base::Bytes& bytes) const {
    simdjson::dom::parser parser;
    JsonValue json;
    const std::string_view text = bytes.view();
    const auto code = parser.parse(text.data(), text.size(), false).get(json);
    if (code != simdjson::SUCCESS) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not JSON: {}", simdjson::error_message(code)),
                   .file = path_,
                   .hint = "make the samples again"});
    }
    if (!json.is_object()) return wrong("", "an object");
    PLANEX_ASSIGN(const std::string schema, text_at(json, "", "schema"));
    if (schema != kSchema) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = format("the schema is {}, expected {}", base::quoted(schema),
                                     base::quoted(kSchema)),
                   .file = path_,
                   .json_pointer = "/schema"});
    }
    SampleIndex index;
    PLANEX_ASSIGN(const simdjson::dom::array inputs, array_at(json, "", "inputs"));
    std::size_t number = 0;
    for (const JsonValue& value : inputs) {
      PLANEX_ASSIGN(SampleInput input, input_of(value, format("/inputs/{}", number++)));
      index.inputs.push_back(std::move(input));
    }
    PLANEX_ASSIGN(const simdjson::dom::array samples, array_at(json, "", "samples"));
    number = 0;
    for (const JsonValue& value : samples) {
      PLANEX_ASSIGN(SampleSource sample, sample_of(value, format("/samples/{}", number++)));
      index.samples.push_back(std::move(sample));
    }
    PLANEX_ASSIGN(const simdjson::dom::array steps, array_at(json, "", "preparation"));
    number = 0;
    for (const JsonValue& value : steps) {
      std::string_view step;
      if (value.get_string().get(step)) return wrong(format("/preparation/{}", number), "a text");
      index.preparation.emplace_back(step);
      ++number;
    }
    return index;
  }

 private:
  Failure wrong(std::string pointer, std::string_view expected) const {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("wrong or missing value, expected {}", expected),
                 .file = path_,
                 .json_pointer = std::move(pointer)});
  }

  Result<std::string> text_at(const JsonValue& object, const std::string& place,
                              std::string_view key) const {
    std::string_view text;
    if (object.at_key(key).get_string().get(text))
      return wrong(format("{}/{}", place, key), "a text");
    return std::string(text);
  }

  Result<simdjson::dom::array> array_at(const JsonValue& object, const std::string& place,
                                        std::string_view key) const {
    simdjson::dom::array array;
    if (object.at_key(key).get_array().get(array)) {
      return wrong(format("{}/{}", place, key), "an array");
    }
    return array;
  }

  Result<SampleInput> input_of(const JsonValue& value, const std::string& place) const {
    if (!value.is_object()) return wrong(place, "an object");
    SampleInput input;
    PLANEX_ASSIGN(input.name, text_at(value, place, "name"));
    PLANEX_ASSIGN(const std::string type, text_at(value, place, "type"));
    const std::optional<ElementType> known = element_type(type);
    if (!known) return wrong(place + "/type", "a type of elements, such as \"float32\"");
    input.type = *known;
    PLANEX_ASSIGN(const simdjson::dom::array shape, array_at(value, place, "shape"));
    for (const JsonValue& item : shape) {
      std::int64_t size = 0;
      if (item.get_int64().get(size)) {
        return wrong(format("{}/shape/{}", place, input.shape.size()), "an integer");
      }
      input.shape.push_back(size);
    }
    if (!sample_bytes(input)) return wrong(place + "/shape", "sizes whose product is a size");
    return input;
  }

  Result<SampleSource> sample_of(const JsonValue& value, const std::string& place) const {
    if (!value.is_object()) return wrong(place, "an object");
    SampleSource sample;
    PLANEX_ASSIGN(sample.name, text_at(value, place, "name"));
    if (value.at_key("label").error() == simdjson::SUCCESS) {
      PLANEX_ASSIGN(sample.label, text_at(value, place, "label"));
    }
    return sample;
  }

  const std::string& path_;
};

class Reader final : public SampleReader {
 public:
  Result<void> open(const std::string& folder) {
    const std::string path = base::join_path(folder, kIndexName);
    if (base::disk().kind(path) == base::PathKind::kMissing) {
      return fail({.code = ErrorCode::kNotFound,
                   .message = format("the folder has no {}: it has no samples, or not all of them "
                                     "were written",
                                     kIndexName),
                   .file = folder});
    }
    PLANEX_ASSIGN(const auto bytes, base::disk().read(path));
    PLANEX_ASSIGN(index_, IndexReader(path).read(*bytes));
    if (!bytes->is_intact()) return fail(base::changed_error(path));
    for (std::size_t i = 0; i < index_.inputs.size(); ++i) PLANEX_TRY(open_input(folder, i));
    return {};
  }

  const SampleIndex& index() const override { return index_; }

  Result<void> read(std::size_t sample, std::size_t input, std::span<char> data) override {
    if (sample >= index_.samples.size() || input >= files_.size() || data.size() != sizes_[input]) {
      return fail(ErrorCode::kInternal, format("can't read {} bytes for input {} of sample {}",
                                               data.size(), input, sample));
    }
    return files_[input]->read(std::uint64_t{sample} * sizes_[input], data);
  }

 private:
  Result<void> open_input(const std::string& folder, std::size_t input) {
    const std::string path = data_path(folder, input);
    const std::int64_t one = sample_bytes(index_.inputs[input]).value_or(0);
    std::int64_t all = 0;
    const bool is_size =
        !__builtin_mul_overflow(one, static_cast<std::int64_t>(index_.samples.size()), &all);
    PLANEX_ASSIGN(auto file, base::FilePieces::open(path));
    if (!is_size || file->size_bytes() != static_cast<std::uint64_t>(all)) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("has {} bytes, expected {} samples of {} bytes each, as {} "
                                     "says",
                                     file->size_bytes(), index_.samples.size(), one, kIndexName),
                   .file = path,
                   .hint = "make the samples again"});
    }
    files_.push_back(std::move(file));
    sizes_.push_back(static_cast<std::size_t>(one));
    return {};
  }

  SampleIndex index_;
  std::vector<std::size_t> sizes_;
  std::vector<std::unique_ptr<base::FilePieces>> files_;
};

}  // namespace

Result<std::unique_ptr<SampleWriter>> SampleWriter::create(std::string folder,
                                                           std::vector<SampleInput> inputs) {
  auto writer = std::make_unique<Writer>(std::move(folder), std::move(inputs));
  PLANEX_TRY(writer->open());
  return writer;
}

Result<std::unique_ptr<SampleReader>> SampleReader::open(std::string folder) {
  auto reader = std::make_unique<Reader>();
  PLANEX_TRY(reader->open(folder));
  return reader;
}

}  // namespace planex::arrays
