// One session, read from many threads at once: what each is told is what a single one is told.
// Built with -fsanitize=thread too (preset tsan), which sees the races that change no answer.
#include <gtest/gtest.h>

#include <barrier>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "planex/session.h"

namespace planex {
namespace {

std::string example(std::string_view name) {
  return std::string(PLANEX_EXAMPLES) + "/" + std::string(name);
}

// What is asked, and what came of it in bytes.
using Question = std::function<std::string(const Session&)>;

std::string said(Result<std::string> answer) {
  return answer ? *std::move(answer) : "error: " + answer.error().message;
}

Question explain(const std::string& topic, Format format) {
  return [=](const Session& session) {
    return said(session.explain({.topic = topic, .may_measure = false}, {.format = format}));
  };
}

Question draw(DrawFormat format, DrawView view) {
  return [=](const Session& session) {
    std::string text;
    const auto done = session.draw({.format = format, .view = view}, [&](std::string_view piece) {
      text += piece;
      return Result<void>();
    });
    return done ? text : done.error().message;
  };
}

Question export_as(ExportFormat format) {
  return [=](const Session& session) {
    std::string text;
    const auto done = session.export_as({.format = format}, [&](std::string_view piece) {
      text += piece;
      return Result<void>();
    });
    return done ? text : done.error().message;
  };
}

std::string columns(const Session& session) {
  std::string text;
  for (const Engine& engine : session.engines()) {
    const tables::Layers layers = engine.layers();
    const Texts names = layers.name();
    const Reals times = layers.median_ms();
    const IntegerLists dims = engine.ports().dims();
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      text += names[row];
      text += std::to_string(times[row].value_or(-1));
    }
    for (std::size_t row = 0; row < dims.size(); ++row) text += std::to_string(dims[row].size());
  }
  return text;
}

std::string arrow_tables(const Session& session) {
  std::string text;
  for (const std::string& name : export_tables()) {
    const auto table = session.table(name);
    if (!table) continue;
    ArrowArray array{};
    if (!table->export_array(&array)) continue;
    text += name + std::to_string(array.length);
    array.release(&array);
  }
  return text;
}

std::string structs(const Session& session) {
  const Engine engine = session.engine();
  std::string text = engine.summary().conclusion ? engine.summary().conclusion->headline : "";
  if (const auto lint = engine.lint()) text += std::to_string(lint->findings.size());
  if (const auto memory = engine.explain<results::ExplainMemory>()) {
    text += std::to_string(memory->contributors.size());
  }
  if (const auto precision = engine.explain<results::ExplainPrecision>()) {
    text += std::to_string(precision->transitions.size());
  }
  text += std::to_string(engine.timing().waterfall.size());
  if (const auto compared = session.comparison()) {
    text += std::to_string(compared->ledger.rows.size());
  }
  return text;
}

std::vector<Question> questions() {
  std::vector<Question> all = {
      columns,
      arrow_tables,
      structs,
      [](const Session& session) { return said(session.summary({.format = Format::kText})); },
      [](const Session& session) { return said(session.timing({.format = Format::kJson})); },
      [](const Session& session) {
        return said(session.query("select type, sum(median_ms) from layers group by type", {}));
      },
      [](const Session& session) {
        const auto lint = session.lint({.rules_file = {}}, {.format = Format::kSarif});
        return lint ? lint->document : lint.error().message;
      },
      [](const Session& session) {
        const auto compared = session.compare({}, {.format = Format::kJson});
        return compared ? compared->document : compared.error().message;
      },
      [](const Session& session) { return said(session.report(Format::kJson)); },
      draw(DrawFormat::kSvg, DrawView::kExecution),
      draw(DrawFormat::kDot, DrawView::kMemory),
      export_as(ExportFormat::kPlan),
      export_as(ExportFormat::kCsv),
  };
  for (const std::string topic : {"reformats", "speed", "memory", "precision", "blocks",
                                  "operations", "kernels", "quantization", "tactics"}) {
    all.push_back(explain(topic, Format::kText));
    all.push_back(explain(topic, Format::kJson));
  }
  return all;
}

TEST(Threads, OneSessionReadByMany) {
  const std::vector<OpenRequest> requests = {{.path = example("resnet18-a100-qat")},
                                             {.path = example("resnet18-a100-qat-residual")}};
  const auto session = Session::open(requests);
  ASSERT_TRUE(session) << session.error().message;

  constexpr std::size_t kThreads = 4;
  const std::vector<Question> all = questions();
  std::vector<std::vector<std::string>> answers(kThreads, std::vector<std::string>(all.size()));
  {
    // All ask their first question at once: that is when tables of fields and the like are made.
    std::barrier start(kThreads);
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        start.arrive_and_wait();
        // Half of them ask the same at the same time, the others something else.
        const std::size_t first = thread % 2 == 0 ? 0 : thread * all.size() / kThreads;
        for (std::size_t i = 0; i < all.size(); ++i) {
          const std::size_t question = (first + i) % all.size();
          answers[thread][question] = all[question](*session);
        }
      });
    }
  }
  for (std::size_t question = 0; question < all.size(); ++question) {
    const std::string alone = all[question](*session);
    EXPECT_FALSE(alone.empty()) << question;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      EXPECT_EQ(answers[thread][question], alone) << question;
    }
  }
}

// Reading files has no state either: engines are opened and closed beside one another.
TEST(Threads, SessionsOpenedByMany) {
  const std::vector<std::string> names = {"resnet18-a100-qat", "resnet18-benchmark-app",
                                          "resnet18-openvino/fp32", "small-onnxruntime"};
  std::vector<std::string> answers(names.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < names.size(); ++i) {
      threads.emplace_back([&, i] {
        const auto session = Session::open(example(names[i]));
        if (session) answers[i] = said(session->summary({.format = Format::kJson}));
      });
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto session = Session::open(example(names[i]));
    ASSERT_TRUE(session) << names[i] << ": " << session.error().message;
    EXPECT_EQ(answers[i], said(session->summary({.format = Format::kJson})));
  }
}

}  // namespace
}  // namespace planex
