// All that a view may import.

import './view.css';

export * from '../base/dom.ts';
export * from '../base/format.ts';
export { whenPainted } from '../base/painted.ts';
export { Names } from '../base/names.ts';
export { csvField, joined, middleEllipsis, visible } from '../base/text.ts';
export { familyKey, precisionKey, type FamilyKey, type UiColour } from '../base/tokens.ts';
export type { Comparison, LossWhere, Pairs, Side, Way } from '../model/comparison.ts';
export type { Report } from '../model/decode.ts';
export {
  kEdgeKinds,
  kGraphViews,
  kNone,
  type EdgeKind,
  type GraphGroup,
  type GraphView,
  type GraphViewName,
  type NodeKind,
} from '../model/graph.ts';
export {
  foldedGroups,
  itemText,
  kColourModes,
  kStandardChoice,
  parseItem,
  withGroups,
  type ColourMode,
  type GraphChoice,
  type GraphItem,
} from '../model/graph_choice.ts';
export { accuracyOf } from '../model/accuracy.ts';
export { totalsOf, type Totals } from '../model/explain_totals.ts';
export {
  pointwiseOf,
  windowsOf,
  type ConvolutionWindow,
  type Pointwise,
  type PointwiseGroup,
  type PointwiseLayer,
} from '../model/layer_work.ts';
export {
  precisionOf,
  type Island,
  type PrecisionChanges,
  type TransitionCell,
} from '../model/precision_changes.ts';
export {
  reformatsOf,
  type Neighbour,
  type ReformatRow,
  type Reformats,
  type ReformatVerdict,
} from '../model/reformats.ts';
export {
  kLimitShort,
  speedOf,
  type Speed,
  type SpeedGroup,
  type SpeedLimit,
} from '../model/speed.ts';
export { tacticsOf } from '../model/tactics.ts';
export { heatScale, heatStep, kHeatSteps, type HeatScale } from '../base/heat.ts';
export { groupFigures, type GroupFigures } from '../model/group_figures.ts';
export { nodeLayers } from '../model/node_layers.ts';
export type { Basis, Engine, EngineFinding, Extent, Severity } from '../model/engine.ts';
export type { Block } from '../model/group_blocks.ts';
export * from '../model/json_value.ts';
export { equals, type Chip } from '../model/filter.ts';
export type { Ledger, LedgerCell, LedgerKind } from '../model/ledger.ts';
export {
  choiceInLink,
  fileText,
  isOff,
  kAsItWas,
  kFileKinds,
  lintWords,
  withFiles,
  type FileKind,
  type Judging,
  type JudgingChoice,
} from '../model/judging.ts';
export { withoutWaiver, withWaiver, type Waiver } from '../model/waivers.ts';
export { joinEqual } from '../model/equal_layers.ts';
export { figuresOf } from '../model/own_figures.ts';
export {
  Store,
  type Change,
  type EnginePair,
  type LinkHost,
  type State,
  type Tally,
} from '../model/store.ts';
export type { SortKey, ViewOptions } from '../model/url_state.ts';
export type {
  Binding,
  BuildPhase,
  CalibratedTensor,
  ComparedPrecision,
  ComparedType,
  DifferenceCause,
  DifferenceMap,
  EngineAccuracy,
  ExplainMemory,
  ExplainTactics,
  FieldSamples,
  FrontPoint,
  Histogram,
  LayerTactics,
  MissingPiece,
  OutputLoss,
  ReportCommand,
  ReportSpeed,
  RuleStatus,
  MachineCause,
  SampleBins,
  SampleFigures,
  SampleSeries,
  Saving,
  SolvedElsewhere,
  SteadyState,
  Sweep,
  SweepAxis,
  SweepCell,
  SweepChangedTactic,
  SweepCliff,
  SweepLottery,
  SweepLotteryLayer,
  TacticDifference,
  TacticDifferences,
  TensorLoss,
  Timing,
  TimingPhase,
  Verdict,
  WaiverUse,
  WaterfallStep,
} from '../model/report_types.ts';
export { enginePath, layersCommand, shellWord } from '../model/layers_command.ts';
export type {
  QueryCell,
  QueryColumn,
  QueryRows,
  QueryTable,
  TableColumn,
} from '../model/query_rows.ts';
export {
  findingKey,
  findingOf,
  findingState,
  kFindingOption,
  kRuleOption,
  kSeverityOption,
  kShowOption,
  kTicksOption,
  rowOfFinding,
  ruleState,
} from '../model/finding_state.ts';
export * from './choice.ts';
export * from './figure.ts';
export * from './finding_text.ts';
export * from './grid/index.ts';
export * from './conclusion.ts';
export { keepFocus } from './keep_focus.ts';
export * from './key_figures.ts';
export * from './marks.ts';
export * from './metadata.ts';
export * from './missing.ts';
export { meets, needsTable, unmetNeeds } from './needs.ts';
export * from './panel.ts';
export * from './picture.ts';
export { kNoProblem, problemIn, type CoreOpener, type Problem } from './opener.ts';
export * from './rules.ts';
export * from './sql/index.ts';
export { producerText } from './producer.ts';
export { kernelText, tacticTimeText } from './tactic_text.ts';
export { Palette } from './palette.ts';
export type { FilterRowPart, MountedView, Need, Spot, View, ViewContext } from './view.ts';
