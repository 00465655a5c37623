# Writes OUTPUT, the C++ source of lint/examples.h, from the golden files below GOLDEN.
#   cmake -DGOLDEN=tests/golden/lint -DOUTPUT=examples.cc -P RuleExamples.cmake
file(GLOB rules RELATIVE "${GOLDEN}" "${GOLDEN}/*")
list(SORT rules)
set(rows "")
foreach(rule IN LISTS rules)
  file(GLOB cases "${GOLDEN}/${rule}/fires*/expected.txt")
  if(NOT cases)
    continue()
  endif()
  list(SORT cases)
  list(GET cases 0 first)
  file(READ "${first}" text)
  string(APPEND rows "    {\"${rule}\", R\"golden(${text})golden\"},\n")
endforeach()
file(
  WRITE "${OUTPUT}"
  "// Written by src/lint/RuleExamples.cmake.
#include \"lint/examples.h\"

#include <utility>

namespace planex::lint {
namespace {

constexpr std::pair<std::string_view, std::string_view> kExpected[] = {
    {},
${rows}};

}  // namespace

std::string_view example(std::string_view rule) {
  for (const auto& [id, expected] : kExpected) {
    if (id != rule || id.empty()) continue;
    // The head of the file, then one block of lines per finding.
    constexpr std::string_view kGap = \"\\n\\n\";
    const std::size_t head = expected.find(kGap);
    if (head == expected.npos) return {};
    const std::string_view findings = expected.substr(head + kGap.size());
    return findings.substr(0, findings.find(kGap));
  }
  return {};
}

}  // namespace planex::lint
"
)
