#include "arrow/export.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace planex::arrow {
namespace {

// The members that the private_data of a schema or array owns. Children are made first, so that a
// failure half-way releases them.
template <typename Structure>
struct Owned {
  std::vector<Structure> children;
  std::vector<Structure*> child_pointers;

  explicit Owned(std::size_t child_count) : children(child_count) {
    for (Structure& child : children) {
      child = {};
      child_pointers.push_back(&child);
    }
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    // A child that was moved away has no release function.
    for (Structure& child : children) {
      if (child.release != nullptr) child.release(&child);
    }
  }
};

struct OwnedSchema : Owned<ArrowSchema> {
  using Owned::Owned;
  std::string name, metadata;
};

struct OwnedArray : Owned<ArrowArray> {
  using Owned::Owned;
  std::array<Buffer, 3> kept;
  std::array<const void*, 3> buffers{};
};

template <typename Structure, typename OwnedStructure>
void release(Structure* structure) {
  delete static_cast<OwnedStructure*>(structure->private_data);
  structure->release = nullptr;
  structure->private_data = nullptr;
}

const char* format_of(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return "b";
    case Kind::kInt64:
      return "l";
    case Kind::kDouble:
      return "g";
    case Kind::kText:
      // 64-bit offsets: like polars and pandas 3, and there is no limit to run into.
      return "U";
    case Kind::kInt64List:
      return "+L";
  }
  return "n";
}

// Pairs as the specification defines them: counts and lengths as 32-bit numbers in native byte
// order. Empty where there is no metadata.
std::string metadata_of(
    std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  std::string bytes;
  std::int32_t count = 0;
  const auto append_number = [&bytes](std::int32_t number) {
    std::array<char, sizeof number> raw{};
    std::memcpy(raw.data(), &number, sizeof number);
    bytes.append(raw.data(), raw.size());
  };
  append_number(0);
  for (const auto& [key, value] : pairs) {
    if (value.empty()) continue;
    ++count;
    for (const std::string_view text : {key, value}) {
      append_number(static_cast<std::int32_t>(text.size()));
      bytes += text;
    }
  }
  if (count == 0) return {};
  std::memcpy(bytes.data(), &count, sizeof count);
  return bytes;
}

void fill(ArrowSchema& out, std::unique_ptr<OwnedSchema> owned, const char* format) {
  out = {.format = format,
         .name = owned->name.c_str(),
         .metadata = owned->metadata.empty() ? nullptr : owned->metadata.data(),
         .flags = 0,
         .n_children = static_cast<std::int64_t>(owned->children.size()),
         .children = owned->child_pointers.data(),
         .dictionary = nullptr,
         .release = release<ArrowSchema, OwnedSchema>,
         .private_data = nullptr};
  out.private_data = owned.release();
}

void fill(ArrowArray& out, std::unique_ptr<OwnedArray> owned, std::int64_t length,
          std::int64_t null_count, std::int64_t buffer_count) {
  for (std::size_t i = 0; i < owned->kept.size(); ++i) owned->buffers[i] = owned->kept[i].get();
  out = {.length = length,
         .null_count = null_count,
         .offset = 0,
         .n_buffers = buffer_count,
         .n_children = static_cast<std::int64_t>(owned->children.size()),
         .buffers = owned->buffers.data(),
         .children = owned->child_pointers.data(),
         .dictionary = nullptr,
         .release = release<ArrowArray, OwnedArray>,
         .private_data = nullptr};
  out.private_data = owned.release();
}

void export_field(const Column& column, ArrowSchema& out) {
  auto owned = std::make_unique<OwnedSchema>(column.kind == Kind::kInt64List ? 1 : 0);
  owned->name = column.name;
  owned->metadata = metadata_of({{"unit", column.unit}, {"description", column.description}});
  if (column.kind == Kind::kInt64List) {
    auto item = std::make_unique<OwnedSchema>(0);
    item->name = "item";
    fill(owned->children[0], std::move(item), format_of(Kind::kInt64));
  }
  fill(out, std::move(owned), format_of(column.kind));
  out.flags = ARROW_FLAG_NULLABLE;
}

void export_column(const Column& column, std::int64_t row_count, ArrowArray& out) {
  auto owned = std::make_unique<OwnedArray>(column.kind == Kind::kInt64List ? 1 : 0);
  owned->kept[0] = column.validity;
  switch (column.kind) {
    case Kind::kBool:
    case Kind::kInt64:
    case Kind::kDouble:
      owned->kept[1] = column.values;
      return fill(out, std::move(owned), row_count, column.null_count, 2);
    case Kind::kText:
      owned->kept[1] = column.offsets;
      owned->kept[2] = column.values;
      return fill(out, std::move(owned), row_count, column.null_count, 3);
    case Kind::kInt64List:
      break;
  }
  owned->kept[1] = column.offsets;
  auto numbers = std::make_unique<OwnedArray>(0);
  numbers->kept[1] = column.values;
  fill(owned->children[0], std::move(numbers), column.number_count, 0, 2);
  fill(out, std::move(owned), row_count, column.null_count, 2);
}

struct Stream {
  std::shared_ptr<const Table> table;
  bool is_done = false;
  std::string error;
};

Stream& stream_of(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

// Runs a callback; returns an errno.
template <typename Work>
int guarded_call(Stream& stream, const Work& work) noexcept {
  try {
    work();
    return 0;
  } catch (const std::exception& exception) {
    try {
      stream.error = exception.what();
    } catch (...) {
      stream.error.clear();
    }
    return ENOMEM;
  }
}

}  // namespace

void export_schema(const Table& table, ArrowSchema* out) {
  auto owned = std::make_unique<OwnedSchema>(table.columns.size());
  owned->metadata = metadata_of({{"table", table.name}, {"description", table.description}});
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    export_field(table.columns[i], owned->children[i]);
  }
  fill(*out, std::move(owned), "+s");
}

void export_array(const Table& table, ArrowArray* out) {
  auto owned = std::make_unique<OwnedArray>(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    export_column(table.columns[i], table.row_count, owned->children[i]);
  }
  fill(*out, std::move(owned), table.row_count, 0, 1);
}

void export_stream(std::shared_ptr<const Table> table, ArrowArrayStream* out) {
  auto stream = std::make_unique<Stream>(std::move(table));
  *out = {.get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) noexcept -> int {
            Stream& state = stream_of(self);
            return guarded_call(state, [&] { export_schema(*state.table, schema); });
          },
          .get_next = [](ArrowArrayStream* self, ArrowArray* array) noexcept -> int {
            Stream& state = stream_of(self);
            *array = {};  // without a release function: the end
            if (state.is_done) return 0;
            return guarded_call(state, [&] {
              export_array(*state.table, array);
              state.is_done = true;
            });
          },
          .get_last_error = [](ArrowArrayStream* self) noexcept -> const char* {
            const Stream& state = stream_of(self);
            return state.error.empty() ? nullptr : state.error.c_str();
          },
          .release =
              [](ArrowArrayStream* self) noexcept {
                delete static_cast<Stream*>(self->private_data);
                self->release = nullptr;
                self->private_data = nullptr;
              },
          .private_data = stream.get()};
  stream.release();
}

}  // namespace planex::arrow
