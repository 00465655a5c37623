#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/companion.h"
#include "cli/file_options.h"
#include "session/answer/words.h"

namespace planex::cli {
namespace {

using base::format;

// The formats, one row each; the first is what is written where nothing names one.
struct FormatWord {
  const char* word;
  // Without: the Python package writes it.
  std::optional<ExportFormat> value;
  // Of file names, longest first where one ends another.
  std::string_view ending;
  bool is_table = false;
  bool is_binary = false;
};
constexpr FormatWord kFormats[] = {
    {"plan", ExportFormat::kPlan, ".plan.json"},
    {"csv", ExportFormat::kCsv, ".csv", true},
    {"jsonl", ExportFormat::kJsonLines, ".jsonl", true},
    {"parquet", std::nullopt, ".parquet", true, true},
    {"arrow", std::nullopt, ".arrow", true, true},
    {"xlsx", ExportFormat::kXlsx, ".xlsx", false, true},
    {"trace", ExportFormat::kTrace, ".trace.json"},
    {"perfetto", ExportFormat::kTrace, ".perfetto.json"},
    {"onnx", ExportFormat::kOnnx, ".onnx", false, true},
    {"node-data", ExportFormat::kNodeData, ".node-data.json"},
};

// "csv, jsonl and …".
std::string table_formats() {
  std::vector<std::string_view> words;
  for (const FormatWord& known : kFormats) {
    if (known.is_table) words.emplace_back(known.word);
  }
  return base::join_words(words);
}

class ExportCommand final : public Command {
 public:
  std::string_view name() const override { return "export"; }
  std::string_view summary() const override {
    return "Export the engine for other tools: tables, workbook, trace, graph";
  }
  std::string_view examples() const override {
    return "planex export run/ -o engine.plan.json\n"
           "planex export run/ --format csv --table ports -o ports.csv\n"
           "planex export run/ --format csv -o tables/\n"
           "planex export run/ --format jsonl | head -n 3\n"
           "planex export run/ --format parquet -o tables/\n"
           "planex export run/ -o engine.xlsx\n"
           "planex export fp32/ int8/ -o both.xlsx\n"
           "planex export run/ -o engine.trace.json\n"
           "planex export run/ -o engine.onnx\n"
           "planex export run/ --format node-data --value precision -o engine.json";
  }
  void add_options(CLI::App& app) override;
  Result<int> run(const Environment& environment) override;

 private:
  Result<FormatWord> format_word() const;
  bool is_folder() const {
    std::error_code ignored;
    return output_.ends_with('/') || std::filesystem::is_directory(output_, ignored);
  }
  Result<ExportRequest> request(const FormatWord& chosen) const;
  Result<int> hand_over(const FormatWord& chosen, bool to_folder,
                        const Environment& environment) const;
  Result<void> write_tables(const Session& session, ExportRequest request,
                            std::string_view ending) const;

  PlanOptions plan_;
  std::string format_, output_;
  std::vector<std::string> tables_;
  std::string basis_ = "best", nodes_ = "best", value_ = session::kExportValues[0].word;
};

void ExportCommand::add_options(CLI::App& app) {
  plan_.add_several(app);
  std::vector<std::string> words;
  for (const FormatWord& known : kFormats) words.emplace_back(known.word);
  writes_output(
      app.add_option(
          "-o,--output", output_,
          "Write here instead of standard output; the ending selects the format; a folder "
          "for all tables"))
      ->type_name("FILE|FOLDER/");
  app.add_option("--format", format_,
                 "plan (planex reads it back), trace (Perfetto), onnx (Netron), … [plan]")
      ->check(CLI::IsMember(words));
  app.add_option("--table", tables_,
                 "csv, jsonl, parquet, arrow: a table of `planex query` [layers; in a folder all]")
      ->allow_extra_args(false)
      ->type_name("TABLE");
  app.add_option("--basis", basis_,
                 "trace, onnx, node-data: which layer time; best: medians if all layers have one")
      ->check(CLI::IsMember({"best", "median", "mean"}))
      ->capture_default_str();
  app.add_option("--nodes", nodes_,
                 "onnx, node-data: layers or operations of the model; best: operations if the ONNX "
                 "model is there")
      ->check(CLI::IsMember({"best", "layers", "operations"}))
      ->capture_default_str();
  words.clear();
  for (const auto& value : session::kExportValues) words.emplace_back(value.word);
  app.add_option("--value", value_,
                 "node-data: the value; time: the node's part of its layers' time")
      ->check(CLI::IsMember(words))
      ->capture_default_str();
}

Result<FormatWord> ExportCommand::format_word() const {
  if (!format_.empty()) {
    return *std::ranges::find(kFormats, std::string_view(format_), &FormatWord::word);
  }
  if (is_folder()) {
    return fail(ErrorCode::kUsage, format("{} is a folder", base::quoted(output_)),
                format("--format {} writes tables into it", table_formats()));
  }
  const std::string name = base::lower(base::file_name_of(output_));
  for (const FormatWord& known : kFormats) {
    if (name.ends_with(known.ending)) return known;
  }
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || name.ends_with(".json")) return kFormats[0];
  std::vector<std::string_view> endings;
  for (const FormatWord& known : kFormats) endings.push_back(known.ending);
  return fail(ErrorCode::kUsage,
              format("{} names no format", base::quoted(base::file_name_of(output_))),
              format("end it in {}, or add --format", base::join_words(endings)));
}

Result<ExportRequest> ExportCommand::request(const FormatWord& chosen) const {
  if (!tables_.empty() && !chosen.is_table) {
    return fail(ErrorCode::kUsage,
                format("--table is for {}, not for {}", table_formats(), chosen.word));
  }
  ExportRequest request;
  if (chosen.value) request.format = *chosen.value;
  request.time = *session::value_of_word(std::span(session::kExportTimes), basis_);
  request.nodes = *session::value_of_word(std::span(session::kExportNodes), nodes_);
  request.value = *session::value_of_word(std::span(session::kExportValues), value_);
  return request;
}

Result<void> ExportCommand::write_tables(const Session& session, ExportRequest request,
                                         std::string_view ending) const {
  std::error_code code;
  std::filesystem::create_directories(output_, code);
  if (code) {
    return fail({.code = ErrorCode::kIo,
                 .message = format("can't make the folder: {}", code.message()),
                 .file = output_});
  }
  std::vector<base::FileWriter> files;
  for (const std::string& table : tables_.empty() ? export_tables() : tables_) {
    request.table = table;
    PLANEX_ASSIGN(base::FileWriter file,
                  base::FileWriter::create(base::join_path(output_, table + std::string(ending))));
    PLANEX_TRY(
        session.export_as(request, [&](std::string_view piece) { return file.write(piece); }));
    files.push_back(std::move(file));
  }
  PLANEX_TRY(check_inputs());
  return base::FileWriter::finish_all(files);
}

// Arrow's C++ library is in no release of Debian that we build on; pyarrow has it. The engines go
// over as the options of planex_open (planex.h).
Result<int> ExportCommand::hand_over(const FormatWord& chosen, bool to_folder,
                                     const Environment& environment) const {
  std::vector<std::string> words = {"--format", chosen.word};
  if (!output_.empty()) {
    words.insert(words.end(), {to_folder ? "--folder" : "--output", output_});
  }
  for (const std::string& table : to_folder&& tables_.empty() ? export_tables() : tables_) {
    words.insert(words.end(), {"--table", table});
  }
  words.emplace_back("--");
  const auto add = [&](std::string_view name, const std::optional<std::string>& value) {
    if (value) words.push_back(format("{}={}", name, *value));
  };
  PLANEX_ASSIGN(const std::vector<OpenRequest> requests, plan_.requests());
  for (const OpenRequest& request : requests) {
    add("path", request.path);
    add("name", request.name);
    add("model", request.source_model);
    add("graph", request.graph);
    add("profile", request.profile);
    add("times", request.times);
    add("metadata", request.metadata);
    add("log", request.log);
    add("nsight", request.nsight);
    add("accuracy", request.accuracy);
    if (request.profile_index) add("profile-index", std::to_string(*request.profile_index));
    if (request.run) add("run", std::to_string(*request.run));
  }
  return become({.program = "planex-export", .extra = "parquet"}, environment, std::move(words));
}

Result<int> ExportCommand::run(const Environment& environment) {
  if (output_ == kStandardOutput) output_.clear();
  PLANEX_ASSIGN(const FormatWord chosen, format_word());
  PLANEX_ASSIGN(ExportRequest request, this->request(chosen));
  if (chosen.is_binary && output_.empty() && ::isatty(STDOUT_FILENO) != 0) {
    return fail(ErrorCode::kUsage, "this format is binary: not written to a terminal",
                format("planex export PLAN -o engine{}", chosen.ending));
  }
  const bool to_folder = !output_.empty() && is_folder();
  if (to_folder && !chosen.is_table) {
    return fail(
        ErrorCode::kUsage, format("{} is a folder", base::quoted(output_)),
        format("{} is one file; {} write tables into a folder", chosen.word, table_formats()));
  }
  // All names are looked at before the first file is written.
  const std::vector<std::string> known = export_tables();
  for (const std::string& table : tables_) {
    if (std::ranges::find(known, table) != known.end()) continue;
    const std::vector<std::string_view> names(known.begin(), known.end());
    const auto near = base::nearest(table, names);
    return fail(
        ErrorCode::kUsage, format("there is no table {}", base::quoted(table)),
        near ? format("did you mean {}?", *near) : format("there are {}", base::join_words(names)));
  }
  if (tables_.size() > 1 && !to_folder) {
    return fail(ErrorCode::kUsage, "several tables are several files", "-o FOLDER/");
  }
  if (!chosen.value) return hand_over(chosen, to_folder, environment);
  PLANEX_ASSIGN(const Session session, plan_.open(output_));
  if (to_folder) {
    PLANEX_TRY(write_tables(session, request, chosen.ending));
    return kExitFine;
  }
  if (!tables_.empty()) request.table = tables_.front();
  PLANEX_TRY(write_pieces(
      output_, [&](const DocumentSink& write) { return session.export_as(request, write); }));
  return kExitFine;
}

}  // namespace

std::unique_ptr<Command> make_export_command() { return std::make_unique<ExportCommand>(); }

}  // namespace planex::cli
