#include "record/fields.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::record {
namespace {

enum class Colour : std::uint8_t { kNone, kRed, kBlue };
std::string_view to_string(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return "red";
    case Colour::kBlue:
      return "blue";
    case Colour::kNone:
      break;
  }
  return "";
}

enum class Side : std::uint8_t { kLeft, kRight };
std::string_view to_string(Side side) { return side == Side::kLeft ? "left" : "right"; }

struct Wheel {
  double size_mm = 0;
};
struct Cart {
  std::string name;
  Colour colour = Colour::kNone;
  std::optional<std::int64_t> load;
  std::vector<Wheel> wheels;
  std::optional<Wheel> spare;
};
struct Shed {
  std::string_view place;
};

// What the sink received, as text.
class TextSink final : public Sink {
 public:
  void null() override { put("null"); }
  void boolean(bool truth) override { put(truth ? "true" : "false"); }
  void integer(std::int64_t number) override { put(std::to_string(number)); }
  void real(double number) override { put(std::to_string(number).substr(0, 3)); }
  void text(std::string_view text) override { put("'" + std::string(text) + "'"); }
  void begin_list() override { put("["); }
  void end_list() override { put("]"); }
  void begin_object() override { put("{"); }
  void key(std::string_view name) override { put(std::string(name) + ":"); }
  void end_object() override { put("}"); }

  std::string out;

 private:
  void put(const std::string& piece) { out += (out.empty() ? "" : " ") + piece; }
};

template <typename T, typename Context>
std::string put(const Fields<T, Context>& fields, const T& object, const Context& context) {
  TextSink sink;
  fields.record().put_object(&object, &context, sink);
  return sink.out;
}

Fields<Wheel> wheel_fields() {
  return Fields<Wheel>("Wheel", "A wheel.").field("size_mm", "mm", "Its size.", &Wheel::size_mm);
}

TEST(Fields, ComeInTheirOrderFromMembersFunctionsAndTheContext) {
  const auto fields = Fields<Cart, Shed>("Cart", "A cart.")
                          .field("name", "", "Its name.", &Cart::name)
                          .field("wheel_count", "count", "Wheels.",
                                 [](const Cart& cart) { return cart.wheels.size(); })
                          .field("place", "", "Where it stands.",
                                 [](const Cart&, const Shed& shed) { return shed.place; });
  EXPECT_EQ(put(fields, Cart{.name = "a", .wheels = {{1}, {2}}}, Shed{"north"}),
            "{ name: 'a' wheel_count: 2 place: 'north' }");
}

TEST(Fields, WhatIsNotKnownIsNullAndLeftOutOnlyWhereThatIsSaid) {
  const auto fields = Fields<Cart>("Cart", "A cart.")
                          .field("load", "", "", &Cart::load)
                          .maybe("name", "", "", &Cart::name)
                          .maybe("colour", "", "", &Cart::colour)
                          .object("spare", "", wheel_fields(), &Cart::spare)
                          .object("extra", "", wheel_fields(), &Cart::spare)
                          .left_out();
  EXPECT_EQ(put(fields, Cart{}, NoContext{}), "{ load: null name: null colour: null spare: null }");
  EXPECT_EQ(put(fields, Cart{.name = "b", .colour = Colour::kRed, .load = 3, .spare = Wheel{1.5}},
                NoContext{}),
            "{ load: 3 name: 'b' colour: 'red' spare: { size_mm: 1.5 } extra: { size_mm: 1.5 } }");
}

TEST(Fields, RowsAreObjectsOrColumns) {
  const auto fields = Fields<Cart>("Cart", "A cart.")
                          .list("wheels", "", wheel_fields(), &Cart::wheels)
                          .columns("by_column", "", wheel_fields(), &Cart::wheels);
  EXPECT_EQ(
      put(fields, Cart{.wheels = {{1}, {2}}}, NoContext{}),
      "{ wheels: [ { size_mm: 1.0 } { size_mm: 2.0 } ] by_column: { size_mm: [ 1.0 2.0 ] } }");
}

TEST(Fields, TablesAreRowsWhereTheSinkHasNoOtherForm) {
  const auto fields = Fields<Cart>("Cart", "A cart.")
                          .table("wheels", "", wheel_fields(), &Cart::wheels)
                          .described("packed", "", {.kind = Kind::kPacked});
  EXPECT_EQ(put(fields, Cart{.wheels = {{1}, {2}}}, NoContext{}),
            "{ wheels: [ { size_mm: 1.0 } { size_mm: 2.0 } ] packed: null }");
}

TEST(Fields, OthersMayBeMadeForThemOrBringTheirContext) {
  const auto made = [](const Cart& cart) { return Wheel{cart.wheels.front().size_mm * 2}; };
  const auto placed =
      Fields<Wheel, Shed>("Wheel", "A wheel.")
          .field("place", "", "", [](const Wheel&, const Shed& shed) { return shed.place; });
  static const Shed kNorth{"north"};
  const auto bound = [](const Cart& cart) { return Bound{&cart.wheels.front(), &kNorth}; };
  const auto fields =
      Fields<Cart>("Cart", "A cart.").with(wheel_fields(), made).with(placed, bound);
  EXPECT_EQ(put(fields, Cart{.wheels = {{1}}}, NoContext{}), "{ size_mm: 2.0 place: 'north' }");
}

TEST(Fields, OthersCanStandAmongThem) {
  const auto spare = [](const Cart& cart) -> const Wheel& { return *cart.spare; };
  const auto load = Fields<Cart>("Load", "").field("load", "", "", &Cart::load);
  const auto fields = Fields<Cart>("Cart", "")
                          .with(wheel_fields(), spare)
                          .object("inner", "", load, std::identity{});
  EXPECT_EQ(put(fields, Cart{.spare = Wheel{4}}, NoContext{}),
            "{ size_mm: 4.0 inner: { load: null } }");
}

TEST(Fields, ARowMayBringItsOwnContext) {
  using BoundCart = Bound<Cart, Shed>;
  const auto cart =
      Fields<Cart, Shed>("Cart", "").field("place", "", "", [](const Cart&, const Shed& shed) {
        return shed.place;
      });
  struct Yard {
    std::vector<BoundCart> carts;
  };
  const auto fields = Fields<Yard>("Yard", "").list("carts", "", cart, &Yard::carts);
  const Cart one;
  const Shed north{"north"};
  const Shed south{"south"};
  EXPECT_EQ(put(fields, Yard{{{&one, &north}, {&one, &south}}}, NoContext{}),
            "{ carts: [ { place: 'north' } { place: 'south' } ] }");
}

TEST(Fields, HaveTheTypesOfTheirValues) {
  const auto fields =
      Fields<Cart>("Cart", "")
          .field("colour", "", "", &Cart::colour)
          .maybe("name", "", "", &Cart::name)
          .field("load", "", "", &Cart::load)
          .field("sizes", "", "", [](const Cart&) { return std::vector{1.0}; })
          .field("side", "", "", [](const Cart&) { return Side::kLeft; })
          .field("loads", "", "",
                 [](const Cart& cart) {
                   using Loads = std::vector<std::optional<std::int64_t>>;
                   return std::vector<Loads>{{cart.load}};
                 })
          .never_null()
          .field("tags", "", "", [](const Cart&) { return std::vector<std::string>(); })
          .one_of({"new", "old"});
  const std::vector<Field>& all = fields.record().fields;
  EXPECT_EQ(all[0].type.words, (std::vector<std::string>{"red", "blue"}));
  EXPECT_FALSE(all[0].type.nullable);
  EXPECT_TRUE(all[1].type.nullable);
  EXPECT_EQ(all[2].type.kind, Kind::kInteger);
  EXPECT_TRUE(all[2].type.nullable);
  ASSERT_EQ(all[3].type.kind, Kind::kList);
  EXPECT_EQ(all[3].type.item->kind, Kind::kReal);
  EXPECT_EQ(all[4].type.words, (std::vector<std::string>{"left", "right"}));
  EXPECT_FALSE(all[5].type.item->item->nullable);
  EXPECT_EQ(all[6].type.item->words, (std::vector<std::string>{"new", "old"}));
}

TEST(Fields, WholeNumbersAmongRealOnes) {
  TextSink sink;
  ValueOf<Number>::put(sink, Number{3});
  ValueOf<Number>::put(sink, Number{2.5});
  ValueOf<Number>::put(sink, Number{});
  EXPECT_EQ(sink.out, "3 2.5 null");
}

}  // namespace
}  // namespace planex::record
