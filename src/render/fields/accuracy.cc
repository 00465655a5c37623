#include "render/fields/accuracy.h"

namespace planex::render {
namespace {

using arrays::AccuracyReport;
using arrays::AccuracySide;
using arrays::Difference;
using arrays::Slice;
using arrays::TensorAccuracy;
using arrays::Tolerance;
using record::Fields;

Fields<AccuracySide> accuracy_side_fields() {
  return Fields<AccuracySide>("AccuracySide", "One of the two compared sides.")
      .field("path", "", "The path as given.", &AccuracySide::path)
      .field("format", "", "Which program's file it is.", &AccuracySide::format)
      .maybe("runner", "", "Which run of the file; null where they have no names.",
             &AccuracySide::runner)
      .field("iteration_count", "count", "Inferences in it.", &AccuracySide::iteration_count)
      .field("tensor_count", "count", "Tensors in it.", &AccuracySide::tensor_count);
}

Fields<Tolerance> tolerance_fields() {
  return Fields<Tolerance>(
             "AccuracyTolerance",
             "A value is outside if it differs by more than absolute + relative * |reference|.")
      .field("absolute", "", "In the tensor's own unit.", &Tolerance::absolute)
      .field("relative", "ratio", "Relative to the reference's value.", &Tolerance::relative);
}

std::optional<double> worst_slice_db(const Difference& difference) {
  const Slice* const worst = arrays::worst_slice(difference.slices);
  return worst == nullptr ? std::nullopt : worst->sqnr_db;
}

Fields<Difference> value_difference_fields() {
  return Fields<Difference>("", "")
      .field("count", "count", "Values that were compared.", &Difference::count)
      .field("reference_nan_count", "count", "NaN in the reference.",
             &Difference::reference_nan_count)
      .field("reference_inf_count", "count", "Infinities in the reference.",
             &Difference::reference_inf_count)
      .field("subject_nan_count", "count", "NaN in the subject.", &Difference::subject_nan_count)
      .field("subject_inf_count", "count", "Infinities in the subject.",
             &Difference::subject_inf_count)
      .field("nonfinite_mismatch_count", "count",
             "Values where one side is NaN or infinite and the other is not the same.",
             &Difference::nonfinite_mismatch_count)
      .field("is_equal", "", "The tensors are the same bit for bit, where NaN equals NaN.",
             &Difference::is_equal)
      .field("sqnr_db", "dB",
             "Signal to noise: 10 log10(sum r^2 / sum (s - r)^2); null where nothing differs, or "
             "the reference is zero.",
             &Difference::sqnr_db)
      .field("psnr_db", "dB", "20 log10(max |r|) - 10 log10(mean (s - r)^2).", &Difference::psnr_db)
      .field("cosine", "ratio", "Cosine of the angle between the two; null if one is zero.",
             &Difference::cosine)
      .field("max_abs", "", "Largest |s - r|.", &Difference::max_abs)
      .field("mean_abs", "", "Mean of |s - r|.", &Difference::mean_abs)
      .field("max_rel", "ratio", "Largest |s - r| / max(|r|, rms of the reference).",
             &Difference::max_rel)
      .field("mean_rel", "ratio", "Mean of the same.", &Difference::mean_rel)
      .field("outside_ratio", "ratio", "Share of the values outside of the tolerance.",
             &Difference::outside_ratio)
      .with(sliced_fields());
}

}  // namespace

const Fields<Slice>& slice_fields() {
  static const auto kFields =
      Fields<Slice>("Slice", "Consecutive indices along an axis of a tensor, compared separately.")
          .field("axis", "", "The axis, from 0.", &Slice::axis)
          .field("first", "", "The first index along the axis.", &Slice::first)
          .field("last", "", "The last index, included in the slice.", &Slice::last)
          .maybe("name", "", "The tensor that a Concat joins there; null: split by ranges.",
                 &Slice::name)
          .field("count", "count", "Values that were compared.", &Slice::count)
          .field("nonfinite_mismatch_count", "count",
                 "Values where one side is NaN or infinite and the other is not the same.",
                 &Slice::nonfinite_mismatch_count)
          .field("is_equal", "", "All values are the same.", &Slice::is_equal)
          .field("sqnr_db", "dB",
                 "Signal to noise of the slice alone; null where nothing differs, or it has no "
                 "signal.",
                 &Slice::sqnr_db)
          .field("reference_max_abs", "", "Largest |r|.", &Slice::reference_max_abs)
          .field("max_abs", "", "Largest |s - r|.", &Slice::max_abs);
  return kFields;
}

const Fields<Difference>& sliced_fields() {
  static const auto kFields =
      Fields<Difference>("", "")
          .field("worst_slice_db", "dB",
                 "Lowest SQNR of the slices; null if the tensor is not split, or that slice has no "
                 "SQNR.",
                 worst_slice_db)
          .list(
              "slices",
              "Parts of a joined tensor, each compared by itself; empty: the tensor is not split.",
              slice_fields(), &Difference::slices);
  return kFields;
}

const Fields<TensorAccuracy>& tensor_accuracy_fields() {
  static const auto kFields =
      Fields<TensorAccuracy>("TensorAccuracy", "How far a tensor is from its reference.")
          .field("name", "", "Name of the reference's tensor; \"y (2)\": the second of that name.",
                 &TensorAccuracy::name)
          .field("subject_name", "",
                 "Name of the subject's tensor; it differs if the names come from files.",
                 &TensorAccuracy::subject_name)
          .field("state", "", "other-size: the shapes don't fit, and nothing was compared.",
                 [](const TensorAccuracy& tensor) { return to_string(tensor.state); })
          .one_of({"compared", "other-size"})
          .field("reference_shape", "", "Such as 1x3x224x224.", &TensorAccuracy::reference_shape)
          .field("subject_shape", "",
                 "The same number of values as in the reference, if it was compared.",
                 &TensorAccuracy::subject_shape)
          .field("reference_type", "", "Name of the type in NumPy.",
                 &TensorAccuracy::reference_type)
          .field("subject_type", "", "Name of the type in NumPy.", &TensorAccuracy::subject_type)
          .field("sample_count", "count", "Inferences that were compared.",
                 &TensorAccuracy::sample_count)
          .with(value_difference_fields(), &TensorAccuracy::difference)
          .field("class_rows", "count", "Rows of classes, if they were requested.",
                 &TensorAccuracy::class_rows)
          .field("top1_ratio", "ratio", "Share of rows that have the same largest class.",
                 &TensorAccuracy::top1_ratio)
          .field("top5_ratio", "ratio",
                 "Share of rows where the reference's largest class is among the subject's five "
                 "largest; null with five classes or fewer.",
                 &TensorAccuracy::top5_ratio)
          .field("is_failed", "", "The tensor misses the limit; null without a limit.",
                 &TensorAccuracy::is_failed);
  return kFields;
}

const record::Document<AccuracyReport>& accuracy_document() {
  static const record::Document<AccuracyReport> kDocument = {
      "planex.accuracy/1", "How far tensors are apart: planex accuracy --format json",
      Fields<AccuracyReport>("Accuracy", "Tensors of a subject compared with those of a reference.")
          .object("reference", "The side that is taken as right.", accuracy_side_fields(),
                  &AccuracyReport::reference)
          .object("subject", "The side that is measured against the reference.",
                  accuracy_side_fields(), &AccuracyReport::subject)
          .object("tolerance", "The tolerance behind outside_ratio.", tolerance_fields(),
                  &AccuracyReport::tolerance)
          .field("fail_below_db", "dB", "The limit of SQNR; null without one.",
                 &AccuracyReport::fail_below_db)
          .field("failed_count", "count", "Tensors that miss the limit.",
                 &AccuracyReport::failed_count)
          .field("remarks", "", "What was left out or read differently, in words.",
                 &AccuracyReport::remarks)
          .field("reference_only", "", "Tensors that the subject does not have.",
                 &AccuracyReport::reference_only)
          .field("subject_only", "", "Tensors that the reference does not have.",
                 &AccuracyReport::subject_only)
          .list("tensors", "Tensors of both sides, in the reference's order.",
                tensor_accuracy_fields(), &AccuracyReport::tensors)};
  return kDocument;
}

}  // namespace planex::render
