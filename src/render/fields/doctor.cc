#include "render/fields/doctor.h"

#include "render/fields/summary.h"

namespace planex::render {
namespace {

using analyze::DoctorEngine;
using analyze::DoctorFile;
using analyze::DoctorModel;
using analyze::DoctorReport;
using analyze::DoctorRun;
using record::Fields;

Fields<DoctorFile> doctor_file_fields() {
  return Fields<DoctorFile>("DoctorFile", "A file beside the engine.")
      .field("file", "", "Its path.", &DoctorFile::path)
      .field("size_bytes", "bytes", "Its size.", &DoctorFile::size_bytes)
      .maybe("kind", "", "The reader that takes it; null: not recognized.", &DoctorFile::kind)
      .field("used", "", "It is a part of the engine.", &DoctorFile::used)
      .field("evidence", "", "Why it is used, or not.", &DoctorFile::evidence)
      .field("record_count", "count", "Records in it.", &DoctorFile::record_count)
      .field("joined_count", "count", "Records whose layer was found.", &DoctorFile::joined_count);
}

Fields<DoctorRun> doctor_run_fields() {
  return Fields<DoctorRun>("DoctorRun", "A run recorded in the log.")
      .field("run", "", "The value that --run takes for it.", &DoctorRun::run)
      .field("is_shown", "", "The engine is read from it.", &DoctorRun::is_shown)
      .field("line", "", "First line of it in the log.", &DoctorRun::line)
      .field("build_line", "", "First line of the run that built the engine that this one loads.",
             &DoctorRun::build_line)
      .maybe("command", "", "Its command; null: a script that builds an engine.",
             &DoctorRun::command)
      .maybe("engine_file", "", "The engine that it loads, or else saves.", &DoctorRun::engine_file)
      .maybe("outcome", "", "passed, failed or not finished.", &DoctorRun::outcome)
      .maybe("shapes", "", "Shapes of its inputs, as the log records them.", &DoctorRun::shapes)
      .field("median_ms", "ms", "Latency of an inference.", &DoctorRun::median_ms)
      .field("throughput", "1/s", "Inferences per second.", &DoctorRun::throughput);
}

Fields<analyze::DiagnosticGroup> doctor_diagnostic_fields() {
  using analyze::DiagnosticGroup;
  return Fields<DiagnosticGroup>("DoctorDiagnostic", "Something unexpected in the files.")
      .field("code", "", "Its code.", &DiagnosticGroup::code)
      .field("severity", "", "How much it matters.", &DiagnosticGroup::severity)
      .field("message", "", "Message of the first of its kind.", &DiagnosticGroup::message)
      .field("count", "count", "How many there are.", &DiagnosticGroup::count);
}

Fields<Error> doctor_error_fields() {
  return Fields<Error>("DoctorError", "Why a file can't be read.")
      .field("message", "", "What was found, and what was expected.", &Error::message)
      .field("file", "", "The file it is about.", &Error::file)
      .field("json_pointer", "", "RFC 6901; empty where unknown.", &Error::json_pointer)
      .field("byte_offset", "", "From the start of the file, in bytes.", &Error::byte_offset)
      .field("hint", "", "What to do about it.", &Error::hint);
}

Fields<DoctorModel> doctor_model_fields() {
  return Fields<DoctorModel>("DoctorModel", "The model that was named.")
      .field("file", "", "Its path.", &DoctorModel::path)
      .field("size_bytes", "bytes", "Its size.", &DoctorModel::size_bytes)
      .field("evidence", "", "How it was recognized as a model.", &DoctorModel::evidence);
}

Fields<DoctorEngine> doctor_engine_fields() {
  return Fields<DoctorEngine>("DoctorEngine", "An engine that could run the model, or any.")
      .field("id", "", "openvino, trtexec, tensorrt, tensorrt-rtx or onnxruntime.",
             &DoctorEngine::id)
      .field("label", "", "Its name.", &DoctorEngine::label)
      .field("is_installed", "", "It is installed on this machine.", &DoctorEngine::is_installed)
      .field("detail", "", "Version and path; else what was looked for.", &DoctorEngine::detail)
      .maybe("install", "", "How to get it; null if it is installed.", &DoctorEngine::install)
      .field("command", "", "The command that runs the model on it.", &DoctorEngine::command);
}

}  // namespace

const record::Document<DoctorReport>& doctor_document() {
  static const record::Document<DoctorReport> kDocument = {
      "planex.doctor/1", "What there is of an engine: planex doctor --format json",
      Fields<DoctorReport>("Doctor", "What there is of an engine, readable or not.")
          .field("path", "", "The path as given.", &DoctorReport::path)
          .maybe("producer", "", "Producer of the engine; null if nothing can be read.",
                 &DoctorReport::producer)
          .maybe("version_evidence", "", "How its version is known.",
                 &DoctorReport::version_evidence)
          .list("files", "Files that are a part of it, and those that are not.",
                doctor_file_fields(), &DoctorReport::files)
          .list("runs", "Runs of the log that the engine is read from, if it contains several.",
                doctor_run_fields(), &DoctorReport::runs)
          .list("missing", "Files that would add information.", missing_piece_fields(),
                &DoctorReport::missing)
          .list("diagnostics", "Diagnostics of the files, by kind.", doctor_diagnostic_fields(),
                &DoctorReport::diagnostics)
          .object("error", "Why there is nothing to show.", doctor_error_fields(),
                  &DoctorReport::error)
          .object("model", "The model, if one was named instead of an engine.",
                  doctor_model_fields(), &DoctorReport::model)
          .list("engines", "Engines that could run the model; empty without one.",
                doctor_engine_fields(), &DoctorReport::engines)};
  return kDocument;
}

}  // namespace planex::render
