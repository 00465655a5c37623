#include "ingest/tensorrt/tuning_cache_reader.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_documents.h"
#include "ingest/json_input.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

// A search has hundreds of routes; each becomes a few rows of metadata.
constexpr std::size_t kMaxRoutes = 100'000;

using Fields = std::vector<std::pair<std::string, std::string>>;

// Fields of the first line that are kept, and their names.
constexpr std::pair<std::string_view, std::string_view> kHeadFields[] = {
    {"tuner_version", "tuner version"}, {"searching_algorithm", "search"},
    {"tuning_expr", "expression"},      {"default_build_route", "default route"},
    {"command_line", "command"},        {"accuracy_algorithm", "accuracy algorithm"}};

// The fields of one line: texts decoded, other values unchanged, nulls left out.
Result<Fields> read_line(JsonInput& input) {
  ondemand::object object;
  if (const auto code = input.document().get_object().get(object)) {
    return fail(input.broken("", code, "one object per line"));
  }
  Fields fields;
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken("", code, "a key"));
    }
    const std::string key(JsonInput::key_of(field));
    ondemand::value value = field.value();
    ondemand::json_type type{};
    if (const auto code = value.type().get(type)) {
      return fail(input.broken(format("/{}", pointer_token(key)), code, "a value"));
    }
    if (type == ondemand::json_type::string) {
      JsonText text;
      if (const auto code = JsonInput::text_of(value).get(text)) {
        return fail(input.broken(format("/{}", pointer_token(key)), code, "a text"));
      }
      fields.emplace_back(key, std::string(text.view));
      continue;
    }
    std::string_view raw;
    if (const auto code = JsonInput::raw_of(value).get(raw)) {
      return fail(input.broken(format("/{}", pointer_token(key)), code, "a value"));
    }
    if (type != ondemand::json_type::null) fields.emplace_back(key, base::trimmed(raw));
  }
  return fields;
}

std::string_view text_of_field(const Fields& fields, std::string_view key) {
  for (const auto& [name, value] : fields) {
    if (name == key) return value;
  }
  return {};
}

// The path of the model in {"onnx": "a.onnx", ...}, unchanged.
std::string model_of(std::string_view files) {
  constexpr std::string_view kKey = "\"onnx\"";
  const std::size_t key = files.find(kKey);
  if (key == files.npos) return {};
  const std::size_t open = files.find('"', key + kKey.size());
  const std::size_t close = open == files.npos ? open : files.find('"', open + 1);
  return close == files.npos ? std::string()
                             : std::string(files.substr(open + 1, close - open - 1));
}

class CacheReader {
 public:
  CacheReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder) {}

  Result<void> run() {
    const std::string_view text = artefact_.bytes->view();
    JsonInput input(artefact_, "a tuning cache");
    JsonDocuments documents(text);
    while (const auto part = documents.next()) {
      PLANEX_TRY(input.open_part(*part, builder_));
      PLANEX_ASSIGN(const Fields fields, read_line(input));
      const std::string_view iteration = text_of_field(fields, "iter");
      if (iteration.empty()) {
        if (head_.empty()) head_ = fields;
      } else {
        // If an iteration was run again, the last one counts.
        routes_.insert_or_assign(number_of(iteration), fields);
      }
      if (routes_.size() > kMaxRoutes) {
        return fail(model::too_many("tuning iterations", kMaxRoutes, artefact_.path));
      }
    }
    if (const auto cut = documents.unclosed()) {
      builder_.add_diagnostic({.code = "tuning-cache-cut",
                               .message = "the last line is truncated: the search was stopped "
                                          "while writing; --continue resumes it",
                               .file = artefact_.path,
                               .byte_offset = *cut});
    }
    if (routes_.empty() && head_.empty()) {
      return fail(
          {.code = ErrorCode::kBadInput,
           .message = "not a tuning cache: no line contains \"build_route\"",
           .file = artefact_.path,
           .byte_offset = 0,
           .hint = "create one with `trtexec --tuneBuildRoutes=... --tuningCacheFile=FILE`"});
    }
    add_rows();
    return {};
  }

 private:
  static std::int64_t number_of(std::string_view text) {
    std::int64_t number = 0;
    for (const char c : text) {
      constexpr std::int64_t kMany = 100'000'000;
      if (c < '0' || c > '9' || number > kMany) break;
      number = number * 10 + (c - '0');
    }
    return number;
  }

  void add_rows() {
    const auto add = [&](std::string_view section, std::string_view key, std::string_view value) {
      if (!value.empty()) builder_.add_metadata(section, key, value, artefact_.path);
    };
    for (const auto& [field, key] : kHeadFields) add("tuning", key, text_of_field(head_, field));
    const std::string model = model_of(text_of_field(head_, "files"));
    add("tuning", "model", model);
    if (builder_.strings().find("model_options").is_null()) add("model_options", "Model", model);
    for (const auto& [iteration, fields] : routes_) {
      const std::string section = format("tuning iteration {}", iteration);
      add(section, "route", text_of_field(fields, "build_route"));
      add(section, "mean gpu ms", text_of_field(fields, "gpu_time"));
      if (text_of_field(fields, "crash") == "true") add(section, "crashed", "yes");
      add(section, "error", text_of_field(fields, "error_message"));
      add(section, "accuracy loss", text_of_field(fields, "accuracy_loss"));
    }
    model::PlanModel& model_tables = builder_.model();
    model_tables.files.record_count.set(artefact_.file_row,
                                        static_cast<std::int64_t>(routes_.size()));
    model::EngineTable& engine = model_tables.engine;
    if (engine.producer.is_null(0)) engine.producer.set(0, builder_.strings().intern("tensorrt"));
    if (engine.producer_version.is_null(0)) {
      engine.producer_version.set(0, builder_.strings().intern("11+"));
      engine.version_evidence.set(
          0, builder_.strings().intern("build routes can be searched from 11.1 on"));
    }
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  Fields head_;
  std::map<std::int64_t, Fields> routes_;
};

}  // namespace

Confidence sniff_tuning_cache(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (!text.starts_with('{')) return Confidence::kNo;
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto has = [&](std::string_view words) { return line.find(words) != line.npos; };
  const bool is_head = has("\"tuner_version\"") && has("\"tuning_expr\"");
  const bool is_route = has("\"iter\"") && has("\"build_route\"");
  return is_head || is_route ? Confidence::kSure : Confidence::kNo;
}

Result<void> read_tuning_cache(const Artefact& artefact, model::ModelBuilder& builder) {
  return CacheReader(artefact, builder).run();
}

}  // namespace planex::ingest::tensorrt
