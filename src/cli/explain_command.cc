#include <cstdio>
#include <span>
#include <vector>

#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/verb_options.h"
#include "session/answer/words.h"
#include "session/explain/explain_engines.h"
#include "session/explain/explain_messages.h"
#include "session/explain/explain_placement.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

// Not about an engine, so not topics of a session.
constexpr std::string_view kPlacement = "placement", kMessages = "messages", kEngines = "engines";

std::vector<std::string> topic_words() {
  std::vector<std::string> words;
  for (const auto& topic : session::kExplainTopics) words.emplace_back(topic.word);
  words.emplace_back(kPlacement);
  words.emplace_back(kMessages);
  words.emplace_back(kEngines);
  return words;
}

class ExplainCommand final : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override {
    return "Explain one aspect: reformats, speed, memory, precision, quantization, blocks, "
           "operations, kernels, tactics, placement, messages, engines";
  }
  std::string_view examples() const override {
    return "planex explain reformats run/\n"
           "planex explain speed run/ --all\n"
           "planex explain quantization run/\n"
           "planex explain tactics run/\n"
           "planex explain placement residual-skip\n"
           "planex explain memory run/ --format json -o memory.json";
  }
  void add_options(CLI::App& app) override {
    app.add_option(
           "TOPIC", topic_,
           "reformats (why each is there, which can be removed), speed (distance from the device's "
           "limits), memory (what uses it), precision (where types change), blocks (what repeats), "
           "operations (time per operation of the model), kernels (what each layer launches), "
           "quantization (what runs quantized, what fell back, and why), tactics (which kernels "
           "the builder tried, and by what margin it chose), placement (the rules that place Q/DQ; "
           "takes the id of a rule, or nothing, instead of PLAN), messages (what TensorRT's "
           "messages in logs mean; takes no PLAN), engines (what each engine fuses, and under "
           "which conditions; takes no PLAN)")
        ->required()
        ->check(CLI::IsMember(topic_words()));
    plan_.add(app, false);
    cli::add_options(app, session::options_of(request_), {.shows_topic = true});
    app.add_option("--target", target_, "placement: show only the rules that this engine follows")
        ->check(CLI::IsMember({"tensorrt", "tensorrt-rtx", "openvino", "onnxruntime"}))
        ->type_name("ENGINE");
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    const std::string path = plan_.request().path;
    if (topic_ == kPlacement) {
      PLANEX_ASSIGN(std::string rules, session::explain_placement(path, target_, view));
      PLANEX_TRY(output_.write(std::move(rules)));
      return kExitFine;
    }
    if (topic_ == kMessages) {
      if (!path.empty()) return fail(ErrorCode::kUsage, "explain messages takes no PLAN");
      PLANEX_ASSIGN(std::string page, session::explain_messages(view));
      PLANEX_TRY(output_.write(std::move(page)));
      return kExitFine;
    }
    if (topic_ == kEngines) {
      if (!path.empty()) return fail(ErrorCode::kUsage, "explain engines takes no PLAN");
      PLANEX_ASSIGN(std::string page, session::explain_engines(view));
      PLANEX_TRY(output_.write(std::move(page)));
      return kExitFine;
    }
    if (path.empty()) {
      return fail(ErrorCode::kUsage, "explain needs a PLAN", "planex explain --help shows how");
    }
    if (!target_.empty()) return fail(ErrorCode::kUsage, "--target is for explain placement");
    request_.topic = *session::value_of_word(std::span(session::kExplainTopics), topic_);
    request_.tell = [](std::string_view words) { print_words(std::string(words) + "\n"); };
    PLANEX_ASSIGN(const Session session, plan_.open(output_.file()));
    PLANEX_ASSIGN(std::string document, session.explain(request_, view));
    PLANEX_TRY(output_.write(std::move(document)));
    return kExitFine;
  }

 private:
  std::string topic_, target_;
  PlanOptions plan_;
  ExplainRequest request_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<ExplainCommand>(); }

}  // namespace planex::cli
