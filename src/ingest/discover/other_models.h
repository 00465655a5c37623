// Files that users pass although planex can't read them: compiled engines and models of other
// frameworks. Says what each is, and which command makes files from it that planex reads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::ingest {

// What such a file is called; empty: it is not one. `head`: its first bytes, before any decoding.
std::string_view other_model_label(std::string_view path, std::string_view head);

// How many bytes other_model_error needs: more than `head` if a long text precedes an engine.
std::size_t other_model_head_bytes(std::string_view head);

// The error for a user who named it. Nothing: it is not such a file. `head`: other_model_head_bytes
// of the file, or all of it.
std::optional<Error> other_model_error(const std::string& path, std::string_view head);

// The error for an ONNX model that the user named, if no engine is beside it.
Error model_alone_error(const std::string& path);

}  // namespace planex::ingest
