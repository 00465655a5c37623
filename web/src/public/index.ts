// All that a view can import.

import './page/view.css';

export * from '../base/dom.ts';
export * from '../base/format.ts';
export * from '../base/heat.ts';
export * from '../base/known.ts';
export { whenPainted } from '../base/painted.ts';
export { Names } from '../base/names.ts';
export { csvField, joined, middleEllipsis, visible } from '../base/text.ts';
export { familyKey, precisionKey, type FamilyKey, type UiColour } from '../base/tokens.ts';
export { accuracyOf, tacticsOf } from '../model/explained.ts';
export type { Comparison, LossWhere, PairLayer, Pairs, Side, Way } from '../model/comparison.ts';
export type { Report } from '../model/decode.ts';
export type { Basis, Engine, EngineFinding, Extent, Severity } from '../model/engine.ts';
export { joinEqual } from '../model/equal_layers.ts';
export * from '../model/explain_totals.ts';
export { equals, type Chip } from '../model/filter.ts';
export * from '../model/finding_state.ts';
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
export * from '../model/graph_choice.ts';
export type { Block } from '../model/group_blocks.ts';
export * from '../model/group_figures.ts';
export * from '../model/json_value.ts';
export * from '../model/judging.ts';
export * from '../model/layer_work.ts';
export * from '../model/layers_command.ts';
export type { Ledger, LedgerCell, LedgerKind } from '../model/ledger.ts';
export { nodeLayers } from '../model/node_layers.ts';
export { figuresOf } from '../model/own_figures.ts';
export * from '../model/precision_changes.ts';
export type {
  QueryCell,
  QueryColumn,
  QueryRows,
  QueryTable,
  TableColumn,
} from '../model/query_rows.ts';
export * from '../model/reformats.ts';
export type * from '../model/report_types.ts';
export {
  kLimitShort,
  speedOf,
  type Speed,
  type SpeedGroup,
  type SpeedLimit,
} from '../model/speed.ts';
export {
  Store,
  type Change,
  type EnginePair,
  type LinkHost,
  type State,
  type Tally,
} from '../model/store.ts';
export type { SortKey, ViewOptions } from '../model/url_state.ts';
export { withoutWaiver, withWaiver, type Waiver } from '../model/waivers.ts';
export * from './choice.ts';
export { conclusionLine, sentenceList, type Conclusion } from './conclusion.ts';
export * from './delta.ts';
export * from './drawn_view.ts';
export * from './grid/figure.ts';
export * from './actions.ts';
export * from './finding_text.ts';
export * from './grid/index.ts';
export { htmlSvg } from './plot/html_picture.ts';
export { keepFocus } from './page/keep_focus.ts';
export * from './goal.ts';
export * from './key_figures.ts';
export * from './page/marks.ts';
export * from './metadata.ts';
export * from './missing.ts';
export { meets, needsTable, unmetNeeds } from './needs.ts';
export { kNoProblem, problemIn, type CoreOpener, type Problem } from './page/opener.ts';
export { Palette } from './page/palette.ts';
export * from './panel.ts';
export * from './page/picture.ts';
export { producerText } from './producer.ts';
export * from './rules.ts';
export * from './sql/index.ts';
export * from './tactic_text.ts';
export type * from './page/view.ts';
