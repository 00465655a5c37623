#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

class LayersCommand final : public Command {
 public:
  std::string_view name() const override { return "layers"; }
  std::string_view summary() const override {
    return "The layer table: pick columns, filter, sort, limit";
  }
  std::string_view examples() const override {
    return "planex layers run/ --top 10\n"
           "planex layers run/ --filter \"type = 'Reformat'\"\n"
           "planex layers run/ --type Convolution --sort macs\n"
           "planex layers run/ --filter \"name like '%layer1%' and precision = 'INT8'\"\n"
           "planex layers run/ --columns layer_id,name,tactic,macs --format csv -o layers.csv";
  }
  void add_options(CLI::App& app) override {
    plan_.add(app);
    app.add_option("--columns", request_.columns,
                   "Columns, comma-separated; `planex schema` lists them")
        ->delimiter(',')
        ->type_name("NAME,…");
    app.add_option("--type", request_.type,
                   "Only layers of this type, with their parameters as columns: kernel, stride, …")
        ->type_name("TYPE");
    app.add_option("--sort", request_.sort,
                   "Sort by this column: numbers descending, text ascending")
        ->type_name("COLUMN");
    app.add_flag("--reverse", request_.reverse, "Reverse the order");
    app.add_option("--filter", request_.filter, "Keep layers that meet this SQL condition")
        ->type_name("SQL");
    app.add_option("--top", request_.top, "The slowest N layers; with --sort, the first N")
        ->check(count_from_zero())
        ->type_name("N");
    app.add_flag("--all-records", request_.all_records,
                 "Include no-ops, constants and other records that do no work");
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const Session session, plan_.open(output_.file()));
    PLANEX_ASSIGN(std::string document, session.layers(request_, view));
    PLANEX_TRY(output_.write(std::move(document)));
    return kExitFine;
  }

 private:
  PlanOptions plan_;
  LayersRequest request_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_layers_command() { return std::make_unique<LayersCommand>(); }

}  // namespace planex::cli
