// tests/chosen_engines.txt against the data: each form in which an engine of the data is written
// has one in the list. A form is a producer with a reader of its files, and a producer with how
// much its files tell.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

std::set<std::string> forms_of(const std::vector<std::string>& folders) {
  std::set<std::string> forms;
  for (const std::string& folder : folders) {
    for (const std::string& engine : engines_in(folder, base::disk())) {
      const auto model = load_completed({.path = engine}, base::disk());
      if (!model) continue;
      const std::string producer(model->text(model->engine.producer[0]));
      forms.insert(base::format("{}, {}", producer, model->text(model->engine.detail[0])));
      for (const base::StringId kind : model->files.kind.values()) {
        forms.insert(base::format("{}, read by {}", producer, model->text(kind)));
      }
    }
  }
  return forms;
}

TEST(ChosenEngines, HaveEveryFormOfTheData) {
  PLANEX_NEED_TEST_DATA(data);
  const std::set<std::string> chosen = forms_of(engine_folders(data));
  EXPECT_GE(chosen.size(), 16U);
  for (const std::string& form : forms_of(all_engine_folders(data))) {
    EXPECT_TRUE(chosen.contains(form)) << "no engine of tests/chosen_engines.txt is " << form;
  }
}

}  // namespace
}  // namespace planex::test
