// Declares the fields of a result once: name, unit, description, and where the value comes from.
//
//   const Fields<SpeedRow, PlanModel>& speed_layer() {
//     static const auto kFields =
//         Fields<SpeedRow, PlanModel>("SpeedLayer", "How near a layer comes to the limits.")
//             .field("layer_id", "", "The layer.", &SpeedRow::layer)
//             .field("time_ms", "ms", "Its time under the basis.", &SpeedRow::time_ms)
//             .field("layer", "", "Its name.", [](const SpeedRow& row, const PlanModel& model)
//             {…});
//     return kFields;
//   }
//
// From such a table generic writers make JSON, JSON Schemas, TypeScript types, tables (CSV,
// Markdown, workbooks, Arrow) and the reference; none of them knows the struct. The order of the
// fields is that of the documents. Names are permanent: scripts read them.
//
// A getter is anything that std::invoke accepts with (const T&) or (const T&, const Context&): a
// member, a function, a lambda. The context is what rows point into, usually the model of their
// engine.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "record/value.h"

namespace planex::record {

// Passes a field's value of an object on.
using Puts = std::function<void(const void* object, const void* context, Sink& sink)>;

// Units are those of the schema: ms, us, bytes, ratio, count and so on, or empty.
struct Field {
  std::string_view name, unit, description;
  Type type;
  // Left out of objects where it is null.
  bool is_left_out = false;
  // Whether objects have the field; empty: all have it.
  std::function<bool(const void* object, const void* context)> is_there = {};
  // kRecord: the field that represents the object in a table; empty: none.
  std::string_view cell = {};
  Puts put;

  bool may_be_missing() const { return is_left_out || is_there; }
};

// Fields without the C++ type: what generic writers work on.
struct Record {
  // The name of generated types.
  std::string_view name, description;
  std::vector<Field> fields;

  // The members of an object that is open; an object.
  void put_members(const void* object, const void* context, Sink& sink) const;
  void put_object(const void* object, const void* context, Sink& sink) const;

  // The properties of a field of records, besides the record.
  struct Form {
    Kind kind;
    bool nullable = false;
    int list_depth = 0;  // 2: a list of lists
  };
  // Each adds a field. They are not templates: a program has thousands of calls of those.
  void add(std::string_view field, std::string_view unit, std::string_view words, Type (*type)(),
           Puts put);
  void add_record(std::string_view field, std::string_view words, Form form,
                  std::shared_ptr<const Record> of, Puts put);
  void add_described(std::string_view field, std::string_view words, Type type);
};

// For rows without a context.
struct NoContext {};

// A value with a context of its own, such as a row about another engine.
template <typename T, typename Context>
struct Bound {
  const T* value;
  const Context* context;
};

// The return type of an object's getter if the object is optional.
template <typename Value>
inline constexpr bool kMayBeNull = std::is_pointer_v<Value>;
template <typename Value>
inline constexpr bool kMayBeNull<std::optional<Value>> = true;

template <typename T, typename Context = NoContext>
class Fields {
 public:
  Fields(std::string_view name, std::string_view description)
      : record_(std::make_shared<Record>(Record{name, description, {}})) {}

  // A scalar, or a list of scalars.
  template <typename Get>
  Fields&& field(std::string_view name, std::string_view unit, std::string_view description,
                 Get get) && {
    using Value = std::remove_cvref_t<decltype(call(get, std::declval<const T&>(), nullptr))>;
    record_->add(name, unit, description, &ValueOf<Value>::type,
                 [get](const void* object, const void* context, Sink& sink) {
                   ValueOf<Value>::put(sink, call(get, as_t(object), context));
                 });
    return std::move(*this);
  }

  // A text or word that is null where it is empty.
  template <typename Get>
  Fields&& maybe(std::string_view name, std::string_view unit, std::string_view description,
                 Get get) && {
    using Value = std::remove_cvref_t<decltype(call(get, std::declval<const T&>(), nullptr))>;
    record_->add(name, unit, description, &ValueOf<Maybe<Value>>::type,
                 [get](const void* object, const void* context, Sink& sink) {
                   ValueOf<Maybe<Value>>::put(sink, Maybe<Value>{call(get, as_t(object), context)});
                 });
    return std::move(*this);
  }

  // The last field is left out where it is null.
  Fields&& left_out() && {
    record_->fields.back().is_left_out = true;
    return std::move(*this);
  }
  // The last `count` fields exist only where this holds for (const T&) or (const T&, context).
  template <typename Holds>
  Fields&& where(Holds holds, std::size_t count = 1) && {
    for (Field& field : std::span(record_->fields).last(count)) {
      field.is_there = [holds](const void* object, const void* context) {
        return call(holds, as_t(object), context);
      };
    }
    return std::move(*this);
  }
  // In tables, the last field, an object, is represented by that field of it.
  Fields&& in_tables(std::string_view field) && {
    record_->fields.back().cell = field;
    return std::move(*this);
  }
  // The last field's text, or each text in its list, is one of these.
  Fields&& one_of(std::vector<std::string> words) && {
    change_items(record_->fields.back().type, [&](Type& type) { type.words = std::move(words); });
    return std::move(*this);
  }
  // The last field is a list whose items can be null: numbers that are not finite.
  Fields&& with_gaps() && {
    change_items(record_->fields.back().type, [](Type& item) { item.nullable = true; });
    return std::move(*this);
  }
  // The last field is never null, although its C++ type would allow it; nor are the items of a
  // list.
  Fields&& never_null() && {
    Type& type = record_->fields.back().type;
    type.nullable = false;
    change_items(type, [](Type& item) { item.nullable = false; });
    return std::move(*this);
  }

  // An object. The getter gives a Sub, or an optional or a pointer to one: null where there is
  // none. std::identity{} groups fields of T itself.
  template <typename Sub, typename SubContext, typename Get>
  Fields&& object(std::string_view name, std::string_view description,
                  const Fields<Sub, SubContext>& of, Get get) && {
    using Value = std::remove_cvref_t<decltype(call(get, std::declval<const T&>(), nullptr))>;
    const Record* record = &of.record();
    record_->add_record(name, description, {Kind::kRecord, kMayBeNull<Value>}, of.shared(),
                        [get, record](const void* object, const void* context, Sink& sink) {
                          put_sub<Sub, SubContext>(*record, call(get, as_t(object), context),
                                                   context, sink);
                        });
    return std::move(*this);
  }

  // A list of objects.
  template <typename Sub, typename SubContext, typename Get>
  Fields&& list(std::string_view name, std::string_view description,
                const Fields<Sub, SubContext>& of, Get get) && {
    const Record* record = &of.record();
    record_->add_record(name, description, {Kind::kRecord, false, 1}, of.shared(),
                        [get, record](const void* object, const void* context, Sink& sink) {
                          sink.begin_list();
                          auto&& rows = call(get, as_t(object), context);
                          for (const auto& row : rows)
                            put_sub<Sub, SubContext>(*record, row, context, sink);
                          sink.end_list();
                        });
    return std::move(*this);
  }

  // A list of lists of objects.
  template <typename Sub, typename SubContext, typename Get>
  Fields&& lists(std::string_view name, std::string_view description,
                 const Fields<Sub, SubContext>& of, Get get) && {
    const Record* record = &of.record();
    record_->add_record(name, description, {Kind::kRecord, false, 2}, of.shared(),
                        [get, record](const void* object, const void* context, Sink& sink) {
                          sink.begin_list();
                          auto&& lists = call(get, as_t(object), context);
                          for (const auto& rows : lists) {
                            sink.begin_list();
                            for (const auto& row : rows)
                              put_sub<Sub, SubContext>(*record, row, context, sink);
                            sink.end_list();
                          }
                          sink.end_list();
                        });
    return std::move(*this);
  }

  // The same as one object that has the list of values for each field.
  template <typename Sub, typename SubContext, typename Get>
  Fields&& columns(std::string_view name, std::string_view description,
                   const Fields<Sub, SubContext>& of, Get get) && {
    check_context<SubContext>();
    const Record* record = &of.record();
    record_->add_record(name, description, {Kind::kColumns}, of.shared(),
                        [get, record](const void* object, const void* context, Sink& sink) {
                          auto&& rows = call(get, as_t(object), context);
                          sink.begin_object();
                          for (const Field& field : record->fields) {
                            sink.key(field.name);
                            sink.begin_list();
                            for (const Sub& row : rows) field.put(&row, context, sink);
                            sink.end_list();
                          }
                          sink.end_object();
                        });
    return std::move(*this);
  }

  // A table: rows that belong together, which the sink can turn into columns. The getter returns
  // something with size() and [].
  template <typename Sub, typename SubContext, typename Get>
  Fields&& table(std::string_view name, std::string_view description,
                 const Fields<Sub, SubContext>& of, Get get) && {
    check_context<SubContext>();
    const Record* record = &of.record();
    record_->add_record(name, description, {Kind::kTable}, of.shared(),
                        [get, record](const void* object, const void* context, Sink& sink) {
                          auto&& rows = call(get, as_t(object), context);
                          const auto row = [&](std::size_t i) -> const void* {
                            const Sub& sub = rows[i];
                            return &sub;
                          };
                          sink.table(*record, rows.size(), row, context);
                        });
    return std::move(*this);
  }

  // Fields that writers of the document add themselves: only for its schema and types.
  Fields&& described(std::string_view name, std::string_view description, Type type) && {
    record_->add_described(name, description, std::move(type));
    return std::move(*this);
  }

  // The fields of another struct among those of this one; with a context of its own where the
  // getter returns a Bound.
  template <typename Sub, typename SubContext, typename Get>
  Fields&& with(const Fields<Sub, SubContext>& of, Get get) && {
    // Passes on what the getter returns, which can be a temporary.
    const auto bound = [get](const void* object, const void* context, const auto& use) {
      using Value = std::remove_cvref_t<decltype(call(get, std::declval<const T&>(), nullptr))>;
      if constexpr (std::is_same_v<Value, Bound<Sub, SubContext>>) {
        const Bound<Sub, SubContext> sub = call(get, as_t(object), context);
        return use(sub.value, sub.context);
      } else {
        check_context<SubContext>();
        const Sub& sub = call(get, as_t(object), context);
        return use(&sub, context);
      }
    };
    for (const Field& field : of.record().fields) {
      Field copy = field;
      copy.put = [bound, put = field.put](const void* object, const void* context, Sink& sink) {
        bound(object, context,
              [&](const void* sub, const void* its_context) { put(sub, its_context, sink); });
      };
      if (field.is_there) {
        copy.is_there = [bound, is_there = field.is_there](const void* object,
                                                           const void* context) {
          return bound(object, context, [&](const void* sub, const void* its_context) {
            return is_there(sub, its_context);
          });
        };
      }
      record_->fields.push_back(std::move(copy));
    }
    return std::move(*this);
  }
  // The same for T itself.
  Fields&& with(const Fields<T, Context>& of) && {
    return std::move(*this).with(of, std::identity{});
  }

  const Record& record() const { return *record_; }
  std::shared_ptr<const Record> shared() const { return record_; }

 private:
  static const T& as_t(const void* object) { return *static_cast<const T*>(object); }

  template <typename Get>
  static decltype(auto) call(const Get& get, const T& object, const void* context) {
    if constexpr (std::is_invocable_v<const Get&, const T&>) {
      return std::invoke(get, object);
    } else {
      return std::invoke(get, object, *static_cast<const Context*>(context));
    }
  }

  template <typename SubContext>
  static void check_context() {
    static_assert(std::is_same_v<SubContext, NoContext> || std::is_same_v<SubContext, Context>,
                  "a value that points into something else must come as Bound");
  }

  // For a list its items, for nested lists theirs, else the value itself.
  template <typename Change>
  static void change_items(Type& type, const Change& change) {
    if (type.kind != Kind::kList) return change(type);
    Type item = *type.item;
    change_items(item, change);
    type.item = std::make_shared<const Type>(std::move(item));
  }

  template <typename Sub, typename SubContext, typename Value>
  static void put_sub(const Record& record, const Value& value, const void* context, Sink& sink) {
    if constexpr (std::is_same_v<Value, Bound<Sub, SubContext>>) {
      if (value.value == nullptr) return sink.null();
      record.put_object(value.value, value.context, sink);
    } else if constexpr (kMayBeNull<Value>) {
      if (!value) return sink.null();
      put_sub<Sub, SubContext>(record, *value, context, sink);
    } else {
      check_context<SubContext>();
      const Sub& sub = value;
      record.put_object(&sub, context, sink);
    }
  }

  std::shared_ptr<Record> record_;
};

// A versioned document: an object whose first member is "schema", its id. Within a version fields
// are only ever added.
template <typename T, typename Context = NoContext>
struct Document {
  std::string_view id;     // planex.explain-speed/2
  std::string_view title;  // what it contains, and the command that writes it
  Fields<T, Context> fields;
};

// The document as a part of another: with its "schema", as on its own.
template <typename T, typename Context>
Fields<T, Context> part_fields(const Document<T, Context>& document) {
  const Record& record = document.fields.record();
  return Fields<T, Context>(record.name, record.description)
      .field("schema", "", "The document and its version.",
             [id = document.id](const T&) { return id; })
      .one_of({std::string(document.id)})
      .with(document.fields);
}

// The same without the C++ types: for writers of schemas, types and the reference.
struct DocumentInfo {
  std::string_view id, title;
  std::shared_ptr<const Record> record;

  template <typename T, typename Context>
  DocumentInfo(const Document<T, Context>& document)  // NOLINT(google-explicit-constructor)
      : id(document.id), title(document.title), record(document.fields.shared()) {}
};

}  // namespace planex::record
