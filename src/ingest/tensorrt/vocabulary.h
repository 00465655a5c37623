// The words of TensorRT's records, looked up once a distinct word: what a type is called, which
// family and role it has, what a format sentence says.
#ifndef PLANEX_INGEST_TENSORRT_VOCABULARY_H_
#define PLANEX_INGEST_TENSORRT_VOCABULARY_H_

#include <string>
#include <vector>

#include "ingest/tensorrt/format.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

struct TypeFacts {
  base::StringId layer_type, parameter_type;
  // ParameterType where there is one, else LayerType.
  base::StringId type;
  model::Family family = model::Family::kOther;
  model::Role role = model::Role::kWork;
};

class Vocabulary {
 public:
  // `file` is named in diagnostics. The builder must outlive this.
  Vocabulary(model::ModelBuilder& builder, std::string file)
      : builder_(builder), file_(std::move(file)) {}

  // `parameter_type` may be null.
  const TypeFacts& type(base::StringId layer_type, base::StringId parameter_type);

  // Type and layout of a tensor as written. An unknown word is reported once.
  const Format& format(base::StringId raw);

  // Sets what the type says of a layer: raw_type, subtype, type, family, role.
  void set_type(model::LayerId layer, const TypeFacts& facts);

 private:
  struct FormatFacts {
    base::StringId raw;
    Format format;
  };

  model::ModelBuilder& builder_;
  std::string file_;
  std::vector<TypeFacts> types_;
  std::vector<FormatFacts> formats_;
};

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_VOCABULARY_H_
