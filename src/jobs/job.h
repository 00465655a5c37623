// Verbs that run models: quantize, search, cast, accuracy, advise. Each is described once, by a row
// of verbs() and by the options of its request; the command line, planex_run() and the Python
// package are made of that.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "drive/driver.h"
#include "planex/error.h"
#include "planex/view.h"
#include "session/verbs/option.h"

namespace planex::jobs {

// What a job gets from the program that it is part of.
struct Context {
  // Where planex's helper programs are.
  std::string program_dir;
  drive::Progress& progress;
  drive::Cancellation cancellation;
  // Of the answer's document.
  View view;
  // Takes a model whose output is "-"; empty: there is no such output.
  std::function<Result<void>(std::string_view)> standard_output = {};
};

struct Answer {
  std::string document;
  // Whether the goal or the limit that the request sets is met.
  bool is_met = true;
  // The model itself went to standard output.
  bool is_output_taken = false;
};

// A request, and what does it.
class Job {
 public:
  virtual ~Job() = default;
  // Bound to the request, which is part of this.
  virtual session::Options options() = 0;
  virtual Result<Answer> run(const Context& context) = 0;
};

struct Verb {
  std::string_view name, summary;
  // Whole commands, one per line.
  std::string_view examples;
  // Its documents, by their names in `planex schema`.
  std::vector<std::string_view> documents;
  // -o is the document; else it is the model, and the document goes to standard output.
  bool writes_document = false;
  std::unique_ptr<Job> (*make)() = nullptr;
};

// In the order of the help.
std::span<const Verb> verbs();
// Null: there is no such verb.
const Verb* find_verb(std::string_view name);

}  // namespace planex::jobs
