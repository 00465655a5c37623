#include "base/try.h"
#include "cli/commands.h"
#include "cli/verb_options.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

class LayersCommand final : public Command {
 public:
  std::string_view name() const override { return "layers"; }
  std::string_view summary() const override {
    return "Show the layer table: pick columns, filter, sort, limit";
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
    cli::add_options(app, session::options_of(request_));
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
