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
#include "cli/verb_options.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

using base::format;

// The formats, one per row; the first is the default.
struct FormatWord {
  const char* word;
  // Without: the Python package writes it.
  std::optional<ExportFormat> value;
  // Extension of the file name; the longer one comes first where one ends another.
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
  ExportRequest request_;
};

void ExportCommand::add_options(CLI::App& app) {
  plan_.add_several(app);
  std::vector<std::string> words;
  for (const FormatWord& known : kFormats) words.emplace_back(known.word);
  writes_output(app.add_option("-o,--output", output_,
                               "Write to FILE instead of standard output, in the format of its "
                               "extension; or all tables to FOLDER/"))
      ->type_name("FILE|FOLDER/");
  app.add_option("--format", format_,
                 "plan (planex reads it back), trace (Perfetto), onnx (Netron), … [plan]")
      ->check(CLI::IsMember(words));
  app.add_option(
         "--table", tables_,
         "csv, jsonl, parquet, arrow: a table as in `planex query` [layers; for a folder, all]")
      ->allow_extra_args(false)
      ->type_name("TABLE");
  cli::add_options(app, session::options_of(request_));
}

Result<FormatWord> ExportCommand::format_word() const {
  if (!format_.empty()) {
    return *std::ranges::find(kFormats, std::string_view(format_), &FormatWord::word);
  }
  if (is_folder()) {
    return fail(ErrorCode::kUsage, format("{} is a folder", base::quoted(output_)),
                format("to write tables into it, use --format {}", table_formats()));
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
              format("can't tell the format from {}", base::quoted(base::file_name_of(output_))),
              format("use one of the extensions {}, or add --format", base::join_words(endings)));
}

Result<ExportRequest> ExportCommand::request(const FormatWord& chosen) const {
  if (!tables_.empty() && !chosen.is_table) {
    return fail(ErrorCode::kUsage,
                format("--table is for {}, not for {}", table_formats(), chosen.word));
  }
  ExportRequest request = request_;
  if (chosen.value) request.format = *chosen.value;
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

// No Debian release that we build on has Arrow's C++ library; pyarrow has it. The engines are
// passed as the options of planex_open (planex.h).
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
  PLANEX_ASSIGN(std::vector<OpenRequest> requests, plan_.requests());
  for (OpenRequest& request : requests) {
    for (const session::Option& option : session::options_of(request)) {
      for (const std::string& value : session::values_of(option)) {
        words.push_back(format("{}={}", option.name, value));
      }
    }
  }
  return become({.program = "planex-export", .extra = "parquet"}, environment, std::move(words));
}

Result<int> ExportCommand::run(const Environment& environment) {
  if (output_ == kStandardOutput) output_.clear();
  PLANEX_ASSIGN(const FormatWord chosen, format_word());
  PLANEX_ASSIGN(ExportRequest request, this->request(chosen));
  if (chosen.is_binary && output_.empty() && ::isatty(STDOUT_FILENO) != 0) {
    return fail(ErrorCode::kUsage, "this format is binary and is not written to a terminal",
                format("planex export PLAN -o engine{}", chosen.ending));
  }
  const bool to_folder = !output_.empty() && is_folder();
  if (to_folder && !chosen.is_table) {
    return fail(
        ErrorCode::kUsage, format("{} is a folder", base::quoted(output_)),
        format("{} is one file; {} write tables into a folder", chosen.word, table_formats()));
  }
  // All names are checked before the first file is written.
  const std::vector<std::string> known = export_tables();
  for (const std::string& table : tables_) {
    if (std::ranges::find(known, table) != known.end()) continue;
    const std::vector<std::string_view> names(known.begin(), known.end());
    const auto near = base::nearest(table, names);
    return fail(ErrorCode::kUsage, format("there is no table {}", base::quoted(table)),
                near ? format("did you mean {}?", *near)
                     : format("the tables are {}", base::join_words(names)));
  }
  if (tables_.size() > 1 && !to_folder) {
    return fail(ErrorCode::kUsage, "several tables need one file each", "-o FOLDER/");
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
