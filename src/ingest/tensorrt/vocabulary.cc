#include "ingest/tensorrt/vocabulary.h"

#include "base/text.h"
#include "ingest/families.h"

namespace planex::ingest::tensorrt {

using base::StringId;
using model::DType;
using model::Order;

const TypeFacts& Vocabulary::type(StringId layer_type, StringId parameter_type) {
  if (const TypeFacts* known = types_.find(layer_type, parameter_type)) return *known;
  base::StringPool& strings = builder_.strings();
  TypeFacts facts{layer_type, parameter_type,
                  parameter_type.is_null() ? layer_type : parameter_type};
  // Transposed convolutions (CaskDeconvolution, CaskDeconvolutionV2, GemmDeconvolution) have a
  // parameters' type that hides what they do.
  if (strings.view(layer_type).find("Deconvolution") != std::string_view::npos &&
      strings.view(parameter_type) == "Convolution") {
    facts.type = strings.intern("Deconvolution");
  }
  facts.family = family_of(strings.view(facts.type));
  facts.role = role_of(strings.view(layer_type));
  return types_.add(layer_type, parameter_type, facts);
}

const FormatFacts& Vocabulary::format(StringId datatype, StringId layout) {
  if (const FormatFacts* known = formats_.find(datatype, layout)) return *known;
  base::StringPool& strings = builder_.strings();
  FormatFacts facts;
  if (layout.is_null()) {
    facts = {datatype, parse_format(strings.view(datatype))};
  } else if (datatype.is_null()) {
    facts = {layout, parse_format(strings.view(layout))};
  } else {
    facts.raw =
        strings.intern(base::format("{}, {}", strings.view(datatype), strings.view(layout)));
    facts.format = {parse_type(strings.view(datatype)), parse_format(strings.view(layout)).layout};
  }
  if (!facts.raw.is_null()) report_unknown(strings.view(facts.raw), facts.format);
  return formats_.add(datatype, layout, facts);
}

void Vocabulary::report_unknown(std::string_view raw, const Format& format) {
  if (depends_on_shapes(raw)) {
    builder_.add_diagnostic(
        {.code = "format-depends-on-shapes",
         .message =
             "types and layouts are not recorded, because the engine was inspected without input "
             "shapes; such tensors have no size, and their layers have no precision",
         .file = file_,
         .byte_offset = byte_offset_});
    return;
  }
  // A bare type ("Half") has no layout.
  const bool bare = raw.find(' ') == raw.npos;
  if (format.dtype != DType::kNull && (bare || format.layout.order != Order::kNull)) return;
  builder_.add_diagnostic(
      {.code = "unknown-format",
       .message = base::format("{} of {} is unknown; its tensors have no size{}",
                               format.dtype == DType::kNull ? "the type" : "the layout",
                               base::quoted(raw), format.dtype == DType::kNull ? "" : " in memory"),
       .file = file_,
       .byte_offset = byte_offset_});
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
