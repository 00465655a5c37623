#include "ingest/polygraphy/engine_text_reader.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "ingest/families.h"

namespace planex::ingest::polygraphy {
namespace {

using base::format;
using model::Direction;
using model::DType;
using model::LayerId;

constexpr std::string_view kEngine = "==== TensorRT Engine ====";
constexpr std::string_view kOthers[] = {
    "==== ONNX Model ====", "==== TensorRT Network ====", "==== TensorFlow Graph ===="};

struct Line {
  std::string_view text;  // trimmed
  std::uint64_t byte_offset = 0;
};

// The content of "{a [dtype=float32, shape=(1, 3)]}" for one tensor.
struct TensorText {
  std::string_view name;
  DType dtype = DType::kNull;
  std::vector<std::int64_t> dims;
  bool dims_known = false;
  std::string_view format;  // "Format: Row major linear FP32"; later versions say it
};

// Types of NumPy, and Polygraphy's own.
DType dtype_of_word(std::string_view word) {
  struct Word {
    std::string_view word;
    DType type;
  };
  constexpr Word kWords[] = {
      {"float64", DType::kFp64},  {"float32", DType::kFp32},  {"float16", DType::kFp16},
      {"bfloat16", DType::kBf16}, {"float8", DType::kFp8},    {"float8e4m3fn", DType::kFp8},
      {"float4", DType::kFp4},    {"int64", DType::kInt64},   {"int32", DType::kInt32},
      {"int16", DType::kInt16},   {"int8", DType::kInt8},     {"int4", DType::kInt4},
      {"uint8", DType::kUint8},   {"uint16", DType::kUint16}, {"uint32", DType::kUint32},
      {"uint64", DType::kUint64}, {"bool", DType::kBool}};
  const auto* found = std::ranges::find(kWords, word, &Word::word);
  return found == std::end(kWords) ? DType::kNull : found->type;
}

// "(1, 2, -1)", "(1,)", "()", "[1, 2]"; a name instead of a number is a dynamic dimension.
bool read_dims(std::string_view text, std::vector<std::int64_t>& dims) {
  text = base::trimmed(text);
  if (text.size() < 2 || (text.front() != '(' && text.front() != '[')) return false;
  const char end = text.front() == '(' ? ')' : ']';
  const std::size_t close = text.find(end);
  if (close == text.npos) return false;
  std::string_view list = text.substr(1, close - 1);
  constexpr std::size_t kMaxListedDims = 64;
  while (!base::trimmed(list).empty()) {
    if (dims.size() == kMaxListedDims) return false;
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view word = base::trimmed(list.substr(0, comma));
    std::int64_t value = -1;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size() || value < -1) value = -1;
    dims.push_back(value);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return true;
}

std::string_view after_word(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  return at == text.npos ? std::string_view() : text.substr(at + word.size());
}

TensorText tensor_of(std::string_view text) {
  TensorText tensor;
  text = base::trimmed(text);
  if (text.ends_with(',')) text.remove_suffix(1);
  // The last bracket of the name precedes the known parts: "X [profile 1] [shape=(1,)]".
  std::size_t open = std::string_view::npos;
  for (const std::string_view word : {" [dtype=", " [shape="}) {
    open = std::min(open, text.find(word));
  }
  tensor.name = base::trimmed(text.substr(0, open));
  if (open == text.npos) return tensor;
  const std::string_view known = text.substr(open);
  if (const std::string_view type = after_word(known, "dtype="); !type.empty()) {
    tensor.dtype = dtype_of_word(type.substr(0, type.find_first_of(",]")));
  }
  tensor.dims_known = read_dims(after_word(known, "shape="), tensor.dims);
  if (const std::string_view layout = after_word(known, "Format: "); !layout.empty()) {
    tensor.format = base::trimmed(layout.substr(0, layout.rfind(']')));
    // "Row major linear FP32".
    if (tensor.dtype == DType::kNull) {
      tensor.dtype = model::dtype_of(tensor.format.substr(tensor.format.rfind(' ') + 1));
    }
  }
  return tensor;
}

class TextReader {
 public:
  TextReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), text_(base::valid_utf8(artefact.bytes->view())) {}

  Result<void> read() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      Line line{base::trimmed(std::string_view(text_).substr(at, end - at)), at};
      at = end + 1;
      if (!line.text.empty()) read_line(line);
    }
    finish_tensors();
    if (!is_engine_) return fail(no_engine());
    model::EngineTable& engine = builder_.model().engine;
    engine.producer.set(0, builder_.strings().intern("tensorrt"));
    const char* detail = layer_count_ == 0 ? "no-layers" : has_ports_ ? "full" : "names-only";
    engine.detail.set(0, builder_.strings().intern(detail));
    builder_.model().files.record_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(layer_count_));
    if (layer_count_ == 0) {
      builder_.add_diagnostic(
          {.code = "no-layers",
           .message =
               format("the text lists no layers{}: `polygraphy inspect model FILE --show "
                      "layers` does",
                      stated_layers_ ? format(" of the {} that the engine has", *stated_layers_)
                                     : std::string()),
           .file = artefact_.path});
    } else if (stated_layers_ && *stated_layers_ != shown_layers()) {
      builder_.add_diagnostic(
          {.code = "layers-missing",
           .message = format("the text lists {} of {}: it is truncated", shown_layers(),
                             base::counted(static_cast<std::size_t>(*stated_layers_), "layer")),
           .file = artefact_.path});
    }
    return {};
  }

 private:
  enum class Section : std::uint8_t { kNone, kInputs, kOutputs, kMemory, kProfiles, kLayers };

  std::int64_t shown_layers() const {
    const auto count = static_cast<std::int64_t>(layer_count_);
    return profile_count_ > 1 ? count / profile_count_ : count;
  }

  Error no_engine() const {
    for (const std::string_view other : kOthers) {
      const std::size_t at = text_.find(other);
      if (at == text_.npos) continue;
      return {.code = ErrorCode::kUnsupported,
              .message = "describes a model or a network, not an engine built from it",
              .file = artefact_.path,
              .byte_offset = at,
              .hint = "show the model itself with planex MODEL.onnx"};
    }
    return {.code = ErrorCode::kBadInput,
            .message = format("not output of polygraphy inspect model: expected a line with {}",
                              base::quoted(kEngine)),
            .file = artefact_.path,
            .byte_offset = 0,
            .hint = "create one with `polygraphy inspect model ENGINE --show layers attrs`"};
  }

  void read_line(const Line& line) {
    if (line.text.find(kEngine) != line.text.npos) {
      is_engine_ = true;
      return;
    }
    if (!is_engine_) return;
    if (line.text.starts_with("---- ") && line.text.ends_with(" ----")) return read_heading(line);
    if (line.text.starts_with("- Profile: ")) {
      finish_tensors();
      profile_ = number_after(line.text, "- Profile: ");
      if (section_ == Section::kLayers && profile_) has_layers_per_profile_ = true;
      return;
    }
    switch (section_) {
      case Section::kNone:
        return read_name(line.text);
      case Section::kInputs:
      case Section::kOutputs:
        return take_tensors(line.text);
      case Section::kMemory:
        return add_fact("memory", line.text);
      case Section::kProfiles:
        return read_binding(line.text);
      case Section::kLayers:
        return read_layer_line(line.text);
    }
  }

  static std::optional<std::int64_t> number_after(std::string_view text, std::string_view word) {
    const std::string_view rest = after_word(text, word);
    std::int64_t value = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return read.ec == std::errc() && value >= 0 ? std::optional(value) : std::nullopt;
  }

  void read_heading(const Line& line) {
    finish_tensors();
    const std::string_view words = line.text;
    const auto has = [&](std::string_view word) { return words.find(word) != words.npos; };
    if (has("Attributes ----")) return;  // of the previous layer
    layer_ = LayerId();
    profile_.reset();
    section_ = Section::kNone;
    if (has("Engine Input")) section_ = Section::kInputs;
    if (has("Engine Output")) section_ = Section::kOutputs;
    if (has("Memory")) section_ = Section::kMemory;
    if (has(" Profile(s) (") || has(" Profiles (")) {
      section_ = Section::kProfiles;
      profile_count_ = number_after(words, "---- ").value_or(1);
      builder_.model().engine.profile_count.set(0, profile_count_);
    }
    if (has(" Layer(s)")) {
      section_ = Section::kLayers;
      stated_layers_ = number_after(words, "---- ");
    }
  }

  // "Name: Unnamed Network 0 | Explicit Batch Engine (48 layers)".
  void read_name(std::string_view text) {
    if (!text.starts_with("Name: ")) return;
    add_fact("name", text.substr(6));
    if (const std::size_t open = text.rfind('('); open != text.npos && text.ends_with("layers)")) {
      stated_layers_ = number_after(text.substr(open), "(");
    }
  }

  void add_fact(std::string_view key, std::string_view value) {
    builder_.add_metadata("polygraphy", key, value, artefact_.path);
  }

  // "{a [dtype=float32, shape=(1, 3)],", " -> {b [shape=(1,)]}": one tensor per line.
  void take_tensors(std::string_view text) {
    if (text.starts_with("-> ")) {
      finish_tensors();
      writes_ = true;
      text = base::trimmed(text.substr(3));
    }
    if (text.starts_with('{')) text.remove_prefix(1);
    const bool is_last = text.ends_with('}');
    if (is_last) text.remove_suffix(1);
    if (!base::trimmed(text).empty()) tensors_.push_back(tensor_of(text));
    if (is_last) finish_tensors();
  }

  void finish_tensors() {
    for (const TensorText& tensor : std::exchange(tensors_, {})) {
      if (section_ == Section::kLayers) {
        if (!layer_.is_null()) add_port(tensor);
      } else {
        add_binding(tensor);
      }
    }
  }

  void add_port(const TensorText& tensor) {
    if (builder_.has_exceeded_limit()) return;
    model::PortFacts facts{.tensor = tensor.name};
    facts.dims = tensor.dims;
    facts.dims_known = tensor.dims_known;
    facts.dtype = tensor.dtype;
    if (!tensor.format.empty()) facts.raw_format = builder_.strings().intern(tensor.format);
    builder_.add_port(layer_, writes_ ? Direction::kOutput : Direction::kInput, facts);
    has_ports_ = true;
  }

  void add_binding(const TensorText& tensor) {
    model::BindingsTable& bindings = builder_.model().bindings;
    const std::size_t row = bindings.row_count();
    builder_.add_binding(tensor.name,
                         section_ == Section::kOutputs ? Direction::kOutput : Direction::kInput);
    bindings.dtype.set(row, tensor.dtype);
    if (tensor.dims_known) bindings.dims.set(row, tensor.dims);
  }

  // "Tensor: X   (Input), Index: 0 | Shapes: min=(1, 2), opt=(1, 3), max=(1, 5)", before Polygraphy
  // 0.48 "Binding Index: 0 (Input)  [Name: X]   | Shapes: …".
  void read_binding(std::string_view text) {
    const std::string_view shapes = after_word(text, "| Shapes: ");
    if (shapes.empty() || !profile_) return;
    std::string_view name = after_word(text, "[Name: ");
    if (!name.empty()) {
      const std::size_t end = name.rfind("] ", name.find("| Shapes: "));
      name = name.substr(0, end);
    } else {
      name = after_word(text, "Tensor: ");
      name = name.substr(0, name.find(" (Input)"));
    }
    std::vector<std::int64_t> least, tuned, greatest;
    if (!read_dims(after_word(shapes, "min="), least) ||
        !read_dims(after_word(shapes, "opt="), tuned) ||
        !read_dims(after_word(shapes, "max="), greatest)) {
      return;
    }
    builder_.add_profile({.profile_index = *profile_,
                          .binding = base::trimmed(name),
                          .min_dims = least,
                          .opt_dims = tuned,
                          .max_dims = greatest,
                          .raw_format = {}});
  }

  // "Layer 0    | node_of_Y [Op: Reformat]", then its inputs and outputs, then its attributes.
  void read_layer_line(std::string_view text) {
    if (text.starts_with("Layer ") && text.find(" | ") != text.npos) return begin_layer(text);
    if (layer_.is_null()) return;
    if (text.starts_with('{') || text.starts_with("-> ") || !tensors_.empty()) {
      return take_tensors(text);
    }
    const std::size_t equals = text.find(" = ");
    if (equals == text.npos) return;
    const std::string_view key = text.substr(0, equals), value = text.substr(equals + 3);
    if (value == "Unknown") return;
    const base::StringId word = builder_.strings().intern(value);
    if (key == "Tactic" && !value.starts_with("0x")) {
      builder_.model().layers.tactic.set(layer_.index(), word);
    } else if (key == "Origin") {
      builder_.model().layers.origin.set(layer_.index(), word);
    }
    builder_.add_attribute(layer_, builder_.strings().intern(key), word, model::ValueType::kString);
  }

  void begin_layer(std::string_view text) {
    finish_tensors();
    writes_ = false;
    std::string_view name = base::trimmed(text.substr(text.find(" | ") + 3));
    std::string_view type;
    constexpr std::string_view kOp = " [Op: ";
    if (const std::size_t op = name.rfind(kOp); op != name.npos && name.ends_with(']')) {
      type = name.substr(op + kOp.size(), name.size() - op - kOp.size() - 1);
      name = base::trimmed(name.substr(0, op));
    }
    if (type == "Unknown") type = {};
    if (builder_.has_exceeded_limit()) return;
    layer_ = builder_.add_layer(builder_.strings().intern(name));
    ++layer_count_;
    model::LayersTable& layers = builder_.model().layers;
    const std::size_t row = layer_.index();
    if (!type.empty()) {
      layers.type.set(row, builder_.strings().intern(type));
      layers.raw_type.set(row, layers.type[row]);
      layers.family.set(row, family_of(type));
    }
    layers.role.set(row, role_of(type));
    if (has_layers_per_profile_) layers.profile_index.set(row, profile_);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  std::string text_;
  bool is_engine_ = false, has_ports_ = false, has_layers_per_profile_ = false, writes_ = false;
  Section section_ = Section::kNone;
  std::optional<std::int64_t> profile_, stated_layers_;
  std::int64_t profile_count_ = 1;
  std::size_t layer_count_ = 0;
  LayerId layer_;
  std::vector<TensorText> tensors_;
};

}  // namespace

Confidence sniff_engine_text(std::string_view head) {
  if (head.find(kEngine) != head.npos && head.find("Batch Engine") != head.npos) {
    return Confidence::kSure;
  }
  for (const std::string_view other : kOthers) {
    if (head.find(other) != head.npos && head.find("---- ") != head.npos) return Confidence::kSure;
  }
  return Confidence::kNo;
}

Result<void> read_engine_text(const Artefact& artefact, model::ModelBuilder& builder) {
  return TextReader(artefact, builder).read();
}

}  // namespace planex::ingest::polygraphy
