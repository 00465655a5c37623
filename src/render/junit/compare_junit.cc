#include "render/junit/compare_junit.h"

#include <pugixml.hpp>

#include <sstream>

#include "base/text.h"
#include "render/words/compare_words.h"
#include "render/words/display_width.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::EngineDifference;
using base::format;

void set(pugi::xml_node node, const char* name, const std::string& value) {
  // Control characters have no place in XML, not even escaped.
  node.append_attribute(name).set_value(printable(value).c_str());
}

void set(pugi::xml_node node, const char* name, std::size_t count) {
  set(node, name, format("{}", count));
}

// Seconds, as the schema requires them.
std::string seconds(std::optional<double> ms) { return format("{:.9f}", ms.value_or(0) / 1000); }

struct Outcome {
  bool fails = false, is_skipped = false;
};

Outcome outcome_of(const EngineDifference& difference) {
  const analyze::Verdict& verdict = difference.verdict;
  return {.fails = verdict.fails,
          .is_skipped = !verdict.fails && verdict.judgement == analyze::Judgement::kUnknown};
}

void write_suite(pugi::xml_node root, const Comparison& comparison,
                 const EngineDifference& difference, const LayerNames& names) {
  const Outcome outcome = outcome_of(difference);
  const std::string& a = comparison.engines.front().label;
  const std::string& b = comparison.engines[difference.engine].label;
  const std::string verdict = verdict_text(comparison, difference);
  const std::string gate = gate_text(difference.verdict);
  const std::string time = seconds(difference.verdict.candidate.median_ms);

  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", format("{} against {}", b, a));
  set(suite, "tests", std::size_t{1});
  set(suite, "failures", std::size_t{outcome.fails});
  set(suite, "errors", std::size_t{0});
  set(suite, "skipped", std::size_t{outcome.is_skipped});
  set(suite, "time", time);
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", format("planex.compare.{}", b));
  set(test, "name", "end to end");
  set(test, "time", time);
  if (outcome.is_skipped) set(test.append_child("skipped"), "message", verdict);
  if (outcome.fails) {
    pugi::xml_node failure = test.append_child("failure");
    set(failure, "type", "regression");
    set(failure, "message", gate.empty() ? verdict : format("{}; {}", gate, verdict));
    failure.text().set(printable(difference_text(difference, names)).c_str());
  }
  std::string output = printable(verdict) + "\n";
  if (!gate.empty()) output += printable(gate) + "\n";
  if (const std::string sentence = difference_text(difference, names); !sentence.empty()) {
    output += printable(sentence) + "\n";
  }
  test.append_child("system-out").text().set(output.c_str());
}

}  // namespace

std::string compare_junit(const Comparison& comparison) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "planex compare");
  const LayerNames names(comparison, Names::kShort);
  std::size_t failures = 0;
  for (const EngineDifference& difference : comparison.differences) {
    if (outcome_of(difference).fails) ++failures;
  }
  set(root, "tests", comparison.differences.size());
  set(root, "failures", failures);
  set(root, "errors", std::size_t{0});
  for (const EngineDifference& difference : comparison.differences) {
    write_suite(root, comparison, difference, names);
  }
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace planex::render
