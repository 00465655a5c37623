#include <cstdint>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "clean/clean.h"
#include "fuzz_targets.h"
#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/read.h"
#include "onnx/types.h"
#include "onnx/upgrade.h"
#include "onnx/values.h"
#include "quantize/cast.h"
#include "quantize/rewrite.h"

namespace planex::fuzz {
namespace {

// A model with what is asked of it.
struct Subject {
  std::string_view file;
  const onnx::Model& model;
  const onnx::Links& links;
  onnx::Values& values;
};

std::string check_error(const Error& error) {
  if (error.message.empty()) return "an error without a message";
  return error.code == ErrorCode::kInternal ? "a bug: " + error.message : std::string();
}

// What is written can be read; what was not written says why.
std::string check_edited(const Subject& subject, const Result<void>& done, const onnx::Edit& edit,
                         std::string_view what) {
  if (!done) return check_error(done.error());
  const auto text = onnx::edited(subject.file, subject.model, edit);
  if (!text) return check_error(text.error());
  const auto after = onnx::read_model(*text);
  if (!after) {
    return base::format("{} wrote what can't be read: {}", what, after.error().message);
  }
  return {};
}

Result<void> upgrade(const Subject& subject, std::int64_t opset, onnx::Edit& edit) {
  return onnx::upgrade(subject.model, subject.links, subject.values, opset, edit);
}

Result<void> cast(const Subject& subject, bool keeps_io, onnx::Edit& edit) {
  const onnx::Types types(subject.model);
  const quantize::CastOptions options{.keeps_io = keeps_io};
  const auto plan =
      quantize::plan_casts(subject.model, subject.links, types, subject.values, options);
  if (!plan) return fail(Error(plan.error()));
  const auto counts = quantize::write_casts(subject.model, subject.links, types, subject.values,
                                            *plan, options, edit);
  return counts ? Result<void>() : fail(Error(counts.error()));
}

// Every node whose second input is constant gets pairs.
Result<void> quantize_all(const Subject& subject, onnx::Edit& edit) {
  quantize::Placement placement;
  quantize::RewriteOptions options;
  const onnx::Range nodes = subject.model.graphs.front().nodes;
  for (onnx::Index node = nodes.first; node < nodes.first + nodes.count; ++node) {
    const auto inputs = subject.model.inputs_of(subject.model.nodes[node]);
    if (inputs.size() < 2) continue;
    const onnx::Index tensor = subject.links.constant(inputs[1]);
    if (tensor == onnx::kNoIndex) continue;
    placement.layers.push_back(node);
    placement.tensors.push_back({.name = inputs[0], .readers = {{node, 0}}, .scale_group = node});
    placement.weights.push_back({.name = inputs[1],
                                 .tensor = tensor,
                                 .readers = {{node, 1}},
                                 .axis = static_cast<int>(node % 5) - 2,
                                 .layer = node});
    options.scales.push_back(0.5F);
  }
  const auto done =
      quantize::rewrite(subject.model, subject.links, subject.values, placement, options, edit);
  return done ? Result<void>() : fail(Error(done.error()));
}

}  // namespace

std::string run_onnx_edit(std::string_view input) {
  const auto model = onnx::read_model(input);
  if (!model) return check_error(model.error());
  const onnx::Links links(*model);
  const base::MemoryFiles files;
  onnx::Values values(input, *model, files, "");
  const Subject subject{input, *model, links, values};
  const auto same = onnx::edited(input, *model, onnx::Edit());
  if (same && *same != input) return "an edit without changes changed the file";
  for (const std::int64_t opset : {13, 17, 22}) {
    onnx::Edit edit;
    const auto done = upgrade(subject, opset, edit);
    if (std::string wrong = check_edited(subject, done, edit, "upgrade"); !wrong.empty()) {
      return wrong;
    }
  }
  for (const bool keeps_io : {true, false}) {
    onnx::Edit edit;
    const auto done = cast(subject, keeps_io, edit);
    if (std::string wrong = check_edited(subject, done, edit, "cast"); !wrong.empty()) return wrong;
  }
  if (const auto cleaned = clean::clean_model(input, files, "", {}); !cleaned) {
    if (std::string wrong = check_error(cleaned.error()); !wrong.empty()) return wrong;
  } else if (!cleaned->bytes.empty() && !onnx::read_model(cleaned->bytes)) {
    return "a simplified model can't be read";
  }
  onnx::Edit edit;
  const auto done = quantize_all(subject, edit);
  return check_edited(subject, done, edit, "rewrite");
}

}  // namespace planex::fuzz
