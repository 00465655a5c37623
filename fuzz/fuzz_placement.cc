#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "fuzz_targets.h"
#include "onnx/edit.h"
#include "onnx/read.h"
#include "onnx/values.h"
#include "quantize/advice.h"
#include "quantize/existing.h"
#include "quantize/placement.h"

namespace planex::fuzz {
namespace {

// A walk is short for each addition, but a hostile model has many of everything.
constexpr std::size_t kMaxBytes = std::size_t{1} << 18;

std::string check_placement(const quantize::Placement& placement, const onnx::Links& links) {
  std::set<std::string_view> names;
  std::set<std::pair<onnx::Index, std::uint32_t>> inputs;
  for (const quantize::PlacedTensor& tensor : placement.tensors) {
    if (!names.insert(tensor.name).second) return "a tensor is placed twice";
    const onnx::Link* link = links.find(tensor.name);
    if (link == nullptr || (link->node == onnx::kNoIndex && !link->is_input)) {
      return "a tensor is placed that nobody makes";
    }
    if (tensor.readers.empty()) return "a tensor is placed that nobody takes";
    if (tensor.scale_group >= placement.tensors.size()) return "a scale group of no tensor";
    for (const onnx::Reader& reader : tensor.readers) {
      if (!inputs.emplace(reader.node, reader.input).second) return "an input has two pairs";
    }
  }
  return {};
}

}  // namespace

std::string run_placement(std::string_view input) {
  if (input.size() > kMaxBytes) return {};
  const auto model = onnx::read_model(input);
  if (!model) return {};
  const onnx::Links links(*model);
  const base::MemoryFiles files;
  onnx::Values values(input, *model, files, "");
  const auto existing = quantize::read_existing(*model, links, values);
  for (const quantize::Target target :
       {quantize::Target::kTensorrt, quantize::Target::kTensorrtRtx, quantize::Target::kOpenvino}) {
    const auto placement =
        quantize::place(*model, links, {.target = target, .ignores_pairs = true});
    if (!placement) {
      if (placement.error().code != ErrorCode::kUnsupported) return "an error of another kind";
      continue;
    }
    if (std::string problem = check_placement(*placement, links); !problem.empty()) return problem;
    if (!existing) continue;
    const auto advice = quantize::advise(*model, links, *existing, *placement, target);
    std::map<std::string, float, std::less<>> scales;
    for (const quantize::Advice& one : advice) {
      if (one.readers.empty() || one.sentence.empty())
        return "advice without a place or a sentence";
      scales[std::string(one.tensor)] = 1;
    }
    onnx::Edit edit;
    const auto count =
        quantize::apply_advice(*model, links, *existing, advice, scales, values, edit);
    if (!count || edit.is_empty()) continue;
    const auto changed = onnx::edited(input, *model, edit);
    if (changed && !onnx::read_model(*changed)) return "what was edited can't be read";
  }
  return {};
}

}  // namespace planex::fuzz
