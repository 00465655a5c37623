#include <string>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/verb_options.h"
#include "session/explain/explain.h"
#include "session/explain/topics.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

std::vector<std::string> topic_words() {
  std::vector<std::string> words;
  for (const session::Topic* topic : session::topics()) words.emplace_back(topic->name);
  return words;
}

// "Explain one aspect: blocks, kernels".
std::string summary_of_verb() {
  std::string text;
  for (const session::Topic* topic : session::topics()) {
    text += base::format("{} {}", text.empty() ? "Explain one aspect:" : ",", topic->name);
  }
  return text;
}

// "blocks (what repeats), kernels (what each layer launches)".
std::string topics_text() {
  std::string text;
  for (const session::Topic* topic : session::topics()) {
    text += base::format("{}{} ({})", text.empty() ? "" : ", ", topic->name, topic->summary);
  }
  return text;
}

// An option of a topic that reads no engine has no meaning for one that does.
Result<void> check_options(ExplainRequest& request) {
  for (const session::Option& option : session::options_of(request)) {
    if (option.how.topic.empty() || session::values_of(option).empty()) continue;
    PLANEX_ASSIGN(const session::Topic* topic, session::find_topic(option.how.topic));
    if (topic->explain != nullptr) continue;
    return fail(ErrorCode::kUsage,
                base::format("--{} is for explain {}", option.name, topic->name));
  }
  return {};
}

class ExplainCommand final : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override { return summary_; }
  std::string_view examples() const override {
    return "planex explain reformats run/\n"
           "planex explain speed run/ --all\n"
           "planex explain quantization run/\n"
           "planex explain tactics run/\n"
           "planex explain placement residual-skip\n"
           "planex explain memory run/ --format json -o memory.json";
  }
  void add_options(CLI::App& app) override {
    app.add_option("TOPIC", request_.topic, topics_text())
        ->required()
        ->check(CLI::IsMember(topic_words()));
    plan_.add(app, false);
    cli::add_options(app, session::options_of(request_), {.shows_topic = true});
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const session::Topic* topic, session::find_topic(request_.topic));
    const std::string path = plan_.request().path;
    if (topic->explain == nullptr || path.empty()) {
      PLANEX_ASSIGN(std::string list, session::look_up(path, request_, view));
      PLANEX_TRY(output_.write(std::move(list)));
      return kExitFine;
    }
    PLANEX_TRY(check_options(request_));
    request_.tell = [](std::string_view words) { print_words(std::string(words) + "\n"); };
    PLANEX_ASSIGN(const Session session, plan_.open(output_.file()));
    PLANEX_ASSIGN(std::string document, session.explain(request_, view));
    PLANEX_TRY(output_.write(std::move(document)));
    return kExitFine;
  }

 private:
  const std::string summary_ = summary_of_verb();
  PlanOptions plan_;
  ExplainRequest request_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<ExplainCommand>(); }

}  // namespace planex::cli
