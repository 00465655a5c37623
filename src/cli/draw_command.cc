#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/progress_line.h"
#include "session/answer/words.h"

namespace planex::cli {
namespace {

using base::format;
using session::Word;

// Flags of `trex draw`: one that takes a value, or that says several of ours.
struct Alias {
  std::string_view word, long_word;
  std::array<std::string_view, 3> ours;
};
constexpr Alias kAliases[] = {
    {"-pj", "--profiling_json", {"--profile"}},
    {"-of", "--output_format", {"--format"}},
    {"-dr", "--display_regions", {"--memory", "all"}},
    {"-dc", "--display_constant", {"--constants"}},
    {"-no_ln", "--no_layer_names", {"--no-names"}},
    {"-dm", "--display_metadata", {"--sources"}},
    {"-drn", "--display_region_names", {"--memory", "all", "--memory-names"}},
    {"-b", "--beam", {"--around"}},
    {"-q", "--query", {"--select"}},
};

std::string endings() {
  std::vector<std::string_view> words;
  for (const auto& choice : session::kDrawFormats) words.emplace_back(choice.word);
  return base::join_words(words);
}

// The format that a file name asks for, or nothing.
std::optional<DrawFormat> format_of_name(std::string_view path) {
  const std::string_view name = base::file_name_of(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string ending = base::lower(name.substr(dot + 1));
  if (ending == "gv") return DrawFormat::kDot;
  return session::value_of_word(std::span(session::kDrawFormats), ending);
}

bool is_binary(DrawFormat wanted) {
  return wanted == DrawFormat::kPng || wanted == DrawFormat::kPdf || wanted == DrawFormat::kOnnx;
}

// An option that takes one of a few words.
template <typename T>
class ChoiceOption {
 public:
  CLI::Option* add(CLI::App& app, const char* name, std::span<const Word<T>> choices,
                   const char* description) {
    choices_ = choices;
    std::vector<std::string> words;
    for (const Word<T>& choice : choices) words.emplace_back(choice.word);
    if (word_.empty()) word_ = words.front();
    return app.add_option(name, word_, description)
        ->check(CLI::IsMember(words))
        ->capture_default_str();
  }
  T value() const {
    return *session::value_of_word(choices_, word_);  // the parser lets nothing else through
  }

 private:
  std::span<const Word<T>> choices_;
  std::string word_;
};

class DrawCommand final : public Command {
 public:
  std::string_view name() const override { return "draw"; }
  std::string_view summary() const override {
    return "Draw the engine: layers, tensors, precisions, hot spots";
  }
  std::string_view examples() const override {
    return "planex draw run/ -o engine.svg\n"
           "planex draw run/ --by heat --slowest 10 --context 2 -o slow.svg\n"
           "planex draw run/ --around layer1.0.conv2 --radius 3 -o part.svg\n"
           "planex draw run/ --select 'Reformat' --neighbours 1 -o copies.png\n"
           "planex draw run/ --between '#1' '#9' -o path.svg\n"
           "planex draw run/ --group layer3 --depth 0 --details -o layer3.svg\n"
           "planex draw run/ --view memory --theme dark -o memory.svg\n"
           "planex draw run/ -o engine.onnx";
  }
  std::vector<std::string> translated(std::vector<std::string> words) const override;
  void add_options(CLI::App& app) override;
  Result<int> run(const Environment&) override;

 private:
  void add_output_options(CLI::App& app);
  void add_selection_options(CLI::App& app);
  void add_look_options(CLI::App& app);
  Result<DrawFormat> format() const;
  DrawRequest request(DrawFormat format) const;

  PlanOptions plan_;
  DrawRequest request_;
  std::string output_, format_;
  std::vector<std::string> between_;
  bool no_names_ = false, original_names_ = false;
  ChoiceOption<DrawView> view_;
  ChoiceOption<DrawColour> colour_;
  ChoiceOption<DrawTheme> theme_;
  ChoiceOption<DrawPalette> palette_;
  ChoiceOption<DrawTime> time_;
  ChoiceOption<DrawMemory> memory_;
  ChoiceOption<DrawEdgeWords> edge_words_;
};

// The predecessor's words for the same, so that scripts go on working.
std::vector<std::string> DrawCommand::translated(std::vector<std::string> words) const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view flag = word.substr(0, word.find('='));
    const auto* alias = std::ranges::find_if(
        kAliases, [flag](const Alias& a) { return a.word == flag || a.long_word == flag; });
    if (alias == std::end(kAliases)) {
      result.push_back(words[i]);
      continue;
    }
    for (const std::string_view ours : alias->ours) {
      if (!ours.empty()) result.emplace_back(ours);
    }
    std::optional<std::string> value;
    if (flag.size() < word.size()) value = std::string(word.substr(flag.size() + 1));
    if (alias->word != "-b") {
      if (value) result.push_back(*value);
      continue;
    }
    // NODE,RADIUS; a name may have commas itself.
    if (!value && i + 1 < words.size()) value = words[++i];
    if (!value) continue;
    const std::size_t comma = value->rfind(',');
    result.push_back(value->substr(0, comma));
    if (comma != std::string::npos) {
      result.insert(result.end(), {"--radius", value->substr(comma + 1)});
    }
  }
  return result;
}

void DrawCommand::add_options(CLI::App& app) {
  plan_.add(app);
  add_output_options(app);
  add_selection_options(app);
  add_look_options(app);
}

void DrawCommand::add_output_options(CLI::App& app) {
  std::vector<std::string> words;
  for (const auto& choice : session::kDrawFormats) words.emplace_back(choice.word);
  writes_output(
      app.add_option("-o,--output", output_,
                     "The file to write; its ending selects the format. Without -o, SVG goes to "
                     "standard output"))
      ->type_name("FILE");
  app.add_option("--format", format_, "The format, if the file's ending doesn't say")
      ->check(CLI::IsMember(words));
  app.add_option("--scale", request_.scale, "Pixels of a PNG per unit of the drawing")
      ->check(CLI::Range(0.05, 16.0))
      ->type_name("N")
      ->capture_default_str();
}

void DrawCommand::add_selection_options(CLI::App& app) {
  view_.add(
      app, "--view", session::kDrawViews,
      "execution: layers; memory: with the tensors between them; source: operations of the model");
  CLI::Option* select =
      app.add_option(
             "--select", request_.select,
             "Only layers whose name, type, tactic or attribute matches, and their neighbours")
          ->type_name("REGEX");
  app.add_option("--neighbours", request_.neighbours, "Steps around what --select finds")
      ->needs(select)
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* around =
      app.add_option("--around", request_.around, "Only what is near this layer: a name, or #6")
          ->type_name("NODE");
  app.add_option("--radius", request_.radius, "Steps up- and downstream of --around")
      ->needs(around)
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--between", between_, "Only what lies on a path from the first to the second")
      ->expected(2)
      ->type_name("NODE NODE");
  CLI::Option* slowest =
      app.add_option("--slowest", request_.slowest, "Only the N slowest layers and --context")
          ->check(count_from_one())
          ->type_name("N");
  app.add_option("--context", request_.context, "Steps around each of the --slowest")
      ->needs(slowest)
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--group", request_.group, "Only this group, such as layer1 or layers.3/attn")
      ->type_name("PATH");
  app.add_option("--highlight", request_.highlight, "Highlight what matches; everything else stays")
      ->type_name("REGEX");
  app.add_option("--depth", request_.depth, "Fold groups below this depth; 0: fold none")
      ->type_name("N");
  app.add_option("--boxes", request_.max_boxes,
                 "Without --depth: fold until about N boxes are left")
      ->check(count_from_one())
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--open", request_.open, "Groups to keep open")->type_name("PATH");
  app.add_option("--fold", request_.fold, "Groups to fold")->type_name("PATH");
  memory_.add(
      app, "--memory", session::kDrawMemories,
      "Tensors as nodes in the execution view: those with several writers or readers, or all");
  app.add_flag("--constants", request_.constants, "Constants as nodes");
  app.add_flag("--bookkeeping", request_.bookkeeping, "Signals, waits, jumps and shapes as nodes");
  app.add_flag("--connected", request_.remove_disconnected, "Leave out layers without connections");
}

void DrawCommand::add_look_options(CLI::App& app) {
  colour_.add(app, "--by", session::kDrawColours, "What a box's color shows");
  theme_.add(app, "--theme", session::kDrawThemes,
             "auto: light or dark, as the viewer's system is");
  palette_.add(app, "--palette", session::kDrawPalettes,
               "trex: the colors of TensorRT Engine Explorer");
  time_.add(app, "--basis", session::kDrawTimes, "Which layer time is shown");
  edge_words_.add(app, "--edges", session::kDrawEdgeWords, "Text on edges");
  app.add_flag("--details", request_.details, "List what is fused into each layer");
  app.add_flag("--sources", request_.metadata, "List the source operations of each layer");
  app.add_flag("--memory-names", request_.memory_names, "Show the names of tensor nodes");
  app.add_flag("--ports", request_.ports_in_order, "Draw edges in the order of inputs and outputs");
  CLI::Option* original =
      app.add_flag("--original-names", original_names_, "Show names as the engine has them");
  app.add_flag("--no-names", no_names_, "Show types instead of names")->excludes(original);
}

Result<DrawFormat> DrawCommand::format() const {
  if (!format_.empty()) {
    return *session::value_of_word(std::span(session::kDrawFormats), format_);
  }
  if (output_.empty()) return DrawFormat::kSvg;
  const auto format = format_of_name(output_);
  if (format) return *format;
  return fail(ErrorCode::kUsage,
              base::format("{} names no format", base::quoted(base::file_name_of(output_))),
              base::format("end it in one of {}, or add --format", endings()));
}

DrawRequest DrawCommand::request(DrawFormat format) const {
  DrawRequest request = request_;
  request.format = format;
  request.view = view_.value();
  request.colour = colour_.value();
  request.theme = theme_.value();
  request.palette = palette_.value();
  request.time = time_.value();
  request.memory = memory_.value();
  request.edge_words = edge_words_.value();
  if (no_names_) request.names = DrawNames::kNone;
  if (original_names_) request.names = DrawNames::kOriginal;
  if (between_.size() == 2) {
    request.between_from = between_[0];
    request.between_to = between_[1];
  }
  return request;
}

Result<int> DrawCommand::run(const Environment&) {
  if (output_ == kStandardOutput) output_.clear();
  PLANEX_ASSIGN(const DrawFormat format, this->format());
  const bool to_terminal = output_.empty() && ::isatty(STDOUT_FILENO) != 0;
  if (to_terminal) {
    return fail(ErrorCode::kUsage,
                is_binary(format) ? "this format is binary: not written to a terminal"
                                  : "a drawing is not for a terminal",
                "planex draw PLAN -o engine.svg");
  }
  // A large PNG takes seconds.
  WaitingLine progress("draw");
  progress.enter("reading");
  PLANEX_ASSIGN(const Session session, plan_.open(output_));
  progress.enter("drawing");
  const DrawRequest request = this->request(format);
  PLANEX_TRY(write_pieces(output_,
                          [&](const DocumentSink& write) { return session.draw(request, write); }));
  return kExitFine;
}

}  // namespace

std::unique_ptr<Command> make_draw_command() { return std::make_unique<DrawCommand>(); }

}  // namespace planex::cli
