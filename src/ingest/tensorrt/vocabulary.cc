#include "ingest/tensorrt/vocabulary.h"

#include "base/text.h"
#include "ingest/families.h"

namespace planex::ingest::tensorrt {

using base::StringId;
using model::DType;

const TypeFacts& Vocabulary::type(StringId layer_type, StringId parameter_type) {
  for (const TypeFacts& known : types_) {
    if (known.layer_type == layer_type && known.parameter_type == parameter_type) return known;
  }
  base::StringPool& strings = builder_.strings();
  TypeFacts facts{layer_type, parameter_type,
                  parameter_type.is_null() ? layer_type : parameter_type};
  // The only type that hides what it does behind its parameters' type.
  if (strings.view(layer_type) == "CaskDeconvolutionV2" &&
      strings.view(parameter_type) == "Convolution") {
    facts.type = strings.intern("Deconvolution");
  }
  facts.family = family_of(strings.view(facts.type));
  facts.role = role_of(strings.view(layer_type));
  types_.push_back(facts);
  return types_.back();
}

const Format& Vocabulary::format(StringId raw) {
  for (const FormatFacts& known : formats_) {
    if (known.raw == raw) return known.format;
  }
  const std::string_view text = builder_.strings().view(raw);
  formats_.push_back({raw, parse_format(text)});
  const Format& known = formats_.back().format;
  // A bare type ("Half") has no layout to know.
  const bool bare = text.find(' ') == text.npos;
  if (!raw.is_null() &&
      (known.dtype == DType::kNull || (!bare && known.layout.order == model::Order::kNull))) {
    builder_.add_diagnostic(
        {.code = "unknown-format",
         .message =
             base::format("{} of {} is not known; tensors of it have no size{}",
                          known.dtype == DType::kNull ? "the type" : "the layout",
                          base::quoted(text), known.dtype == DType::kNull ? "" : " in memory"),
         .file = file_});
  }
  return known;
}

void Vocabulary::set_type(model::LayerId layer, const TypeFacts& facts) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  layers.raw_type.set(row, facts.layer_type);
  layers.subtype.set(row, facts.layer_type);
  layers.type.set(row, facts.type);
  layers.family.set(row, facts.family);
  layers.role.set(row, facts.role);
}

}  // namespace planex::ingest::tensorrt
