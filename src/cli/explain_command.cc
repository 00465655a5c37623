#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

struct TopicWord {
  const char* word;
  ExplainTopic topic;
};

constexpr TopicWord kTopics[] = {
    {"reformats", ExplainTopic::kReformats}, {"speed", ExplainTopic::kSpeed},
    {"memory", ExplainTopic::kMemory},       {"precision", ExplainTopic::kPrecision},
    {"blocks", ExplainTopic::kBlocks},       {"operations", ExplainTopic::kOperations},
    {"kernels", ExplainTopic::kKernels},     {"quantization", ExplainTopic::kQuantization}};

std::vector<std::string> topic_words() {
  std::vector<std::string> words;
  for (const TopicWord& topic : kTopics) words.emplace_back(topic.word);
  return words;
}

class ExplainCommand final : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override {
    return "Why it is as it is: reformats, speed, memory, precision, quantization, blocks, "
           "operations, kernels";
  }
  std::string_view examples() const override {
    return "planex explain reformats run/\n"
           "planex explain speed run/ --all\n"
           "planex explain quantization run/\n"
           "planex explain memory run/ --format json -o memory.json";
  }
  void add_options(CLI::App& app) override {
    app.add_option("TOPIC", topic_, "What to explain")
        ->required()
        ->check(CLI::IsMember(topic_words()));
    plan_.add(app);
    app.add_flag("--all", request_.all, "Every row, not only those that matter most");
    app.add_option("--devices", request_.devices,
                   "speed: a device table of your own (JSON, as data/devices.json)")
        ->type_name("FILE");
    app.add_option("--device", request_.device, "speed: the device of the table to compare with")
        ->type_name("NAME");
    app.add_flag(
        "--probe", request_.probe,
        "speed: hold the engine against this machine's CPU, measured in a second and kept");
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    request_.topic = std::ranges::find(kTopics, topic_, &TopicWord::word)->topic;
    request_.tell = [](std::string_view words) { print_words(std::string(words) + "\n"); };
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const Session session, plan_.open(output_.file()));
    PLANEX_ASSIGN(std::string document, session.explain(request_, view));
    PLANEX_TRY(output_.write(std::move(document)));
    return kExitFine;
  }

 private:
  std::string topic_;
  PlanOptions plan_;
  ExplainRequest request_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<ExplainCommand>(); }

}  // namespace planex::cli
