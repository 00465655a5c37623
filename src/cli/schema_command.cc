#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/options_table.h"
#include "cli/verbs_json.h"
#include "planex/version.h"
#include "render/fields/tables.h"
#include "render/json/record_json.h"

namespace planex::cli {
namespace {

class SchemaCommand final : public Command {
 public:
  explicit SchemaCommand(CLI::App& app) : app_(app) {}

  std::string_view name() const override { return "schema"; }
  std::string_view summary() const override {
    return "List every table and column, with units; describe every JSON document";
  }
  std::string_view examples() const override {
    return "planex schema\n"
           "planex schema --format markdown -o schema.md\n"
           "planex schema explain-speed -o explain-speed.schema.json\n"
           "planex schema --types typescript -o planex.ts";
  }
  void add_options(CLI::App& app) override {
    app.add_option("document", document_,
                   "Print the JSON Schema of this document, such as lint or explain-speed")
        ->type_name("DOCUMENT");
    app.add_flag("--documents", lists_documents_, "List the documents");
    app.add_flag("--files", lists_files_,
                 "List the options of all verbs, and which files they read and write");
    app.add_flag("--options", lists_options_, "List the options of all verbs, and what each does");
    app.add_flag("--verbs", lists_verbs_,
                 "Describe verbs and their options, as JSON (planex.verbs/1), to make functions or "
                 "forms of them");
    app.add_option("--types", types_,
                   "Print the types of all documents for a language; c++-tables: the types of the "
                   "tables; page: the types that planex's own pages read, and their readers")
        ->type_name("typescript|c++|c++-tables|page")
        ->check(CLI::IsMember({"typescript", "c++", "c++-tables", "page"}));
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const std::string text, wanted());
    PLANEX_TRY(output_.write(text));
    return kExitFine;
  }

 private:
  // Schemas and types have one format, whatever the file is called.
  Result<std::string> wanted() {
    if (!document_.empty()) return document_schema(document_);
    if (types_ == "c++") return document_types(TypesOf::kCpp);
    if (types_ == "c++-tables") return document_types(TypesOf::kCppTables);
    if (types_ == "page") return document_types(TypesOf::kPage);
    if (!types_.empty()) return document_types();
    if (lists_files_) return file_options_table(app_);
    if (lists_options_) return options_table(app_);
    if (lists_verbs_) return verbs_json(app_);
    if (lists_documents_) {
      std::string text;
      for (const std::string& id : document_ids()) text += id + "\n";
      return text;
    }
    PLANEX_ASSIGN(const View view, output_.view());
    return schema(view);
  }

  std::string document_, types_;
  CLI::App& app_;
  bool lists_documents_ = false, lists_files_ = false, lists_options_ = false, lists_verbs_ = false;
  OutputOptions output_;
};

class VersionCommand final : public Command {
 public:
  std::string_view name() const override { return "version"; }
  std::string_view summary() const override { return "Print the version"; }
  std::string_view examples() const override { return "planex version"; }
  void add_options(CLI::App& app) override { output_.add(app, {"text", "json"}); }
  Result<int> run(const Environment&) override {
    PLANEX_TRY(output_.view());
    const std::string version = PLANEX_VERSION;
    PLANEX_TRY(
        output_.write(output_.format() == "json"
                          ? render::json_document(render::version_document(), record::NoContext{},
                                                  {}, render::JsonStyle::kCompact)
                          : "planex " + version + "\n"));
    return kExitFine;
  }

 private:
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_schema_command(CLI::App& app) {
  return std::make_unique<SchemaCommand>(app);
}
std::unique_ptr<Command> make_version_command() { return std::make_unique<VersionCommand>(); }

}  // namespace planex::cli
