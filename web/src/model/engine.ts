// One engine as the views see it: tables with their joins, and the three time bases. Only sums and
// orders are computed here; every other number comes from the analyser.

import { grouped, remembered } from '../base/known.ts';
import { joined, visible } from '../base/text.ts';
import { familyKey, type FamilyKey } from '../base/tokens.ts';
import { asObject, asText, type Json, type JsonObject, type Key } from './json_value.ts';
import { readAs, type ReadType, type Reader } from './reader.ts';
import { Graphs, type GraphView, type GraphViewName } from './graph.ts';
import { blocksOf, type Block } from './group_blocks.ts';
import { knownSum, RowsById, Table, type Strings } from './table.ts';
import {
  readEngineAccuracy,
  readExplainMemory,
  readExplainTactics,
  readReportPointwise,
  readReportPrecision,
  readReportReformats,
  readReportSpeed,
  readReportWindows,
  readTiming,
  type Finding,
  type LeftOutFile,
  type ReportCommand,
  type ReportEngine,
  type Action,
  type ReportLint,
  type RuleStatus,
  type SolvedElsewhere,
  type Summary,
} from './report_types.ts';

export const kBases = ['median', 'mean', 'corrected'] as const;
export type Basis = (typeof kBases)[number];

const kBasisColumns: Readonly<Record<Basis, string>> = {
  median: 'median_ms',
  mean: 'mean_ms',
  corrected: 'corrected_ms',
};

// The documents of `summary --timing` and `explain`; report-data.md lists which contain tables.
const kDocuments = {
  timing: readTiming,
  memory: readExplainMemory,
  precision: readReportPrecision,
  reformats: readReportReformats,
  speed: readReportSpeed,
  tactics: readExplainTactics,
  accuracy: readEngineAccuracy,
  pointwise: readReportPointwise,
  windows: readReportWindows,
};
export type DocumentName = keyof typeof kDocuments;
export type DocumentOf<Name extends DocumentName> = ReadType<(typeof kDocuments)[Name]>;

// With the engines of the report that do not have the finding in the same place.
export interface EngineFinding extends Finding {
  readonly elsewhere: readonly SolvedElsewhere[];
}
export type Severity = Finding['severity'];

// Rows of the layers at each end of a tensor, by its id or name.
interface TensorEnds {
  readonly producers: Map<number | string, number | number[]>;
  readonly consumers: Map<number | string, number | number[]>;
}

export const kSeverityOrder = { error: 0, warning: 1, info: 2 } as const;

// The values that the lengths in the ribbon and the bars show.
export interface Extent {
  readonly kind: 'time' | 'bytes' | 'none';
  readonly values: Float64Array;
}

export class Engine {
  // Short and unique in the report: its label, in links and wherever engines stand side by side.
  readonly id: string;
  readonly summary: Summary;
  readonly strings: Strings;
  readonly layers: Table;
  readonly ports: Table;
  readonly sources: Table;
  readonly attributes: Table;
  files: Table;
  readonly kernels: Table;
  readonly diagnostics: Table;
  readonly metadata: Table;
  // The findings that count; the others are waived or were in the baseline.
  readonly findings: readonly EngineFinding[];
  readonly suppressedFindings: readonly EngineFinding[];
  // What to do, in the core's order.
  readonly actions: readonly Action[];
  readonly rules: readonly RuleStatus[];
  readonly lint: ReportLint;
  // As the user named it.
  path: string | null;
  commands: readonly ReportCommand[];
  leftOut: readonly LeftOutFile[];
  // Only the overview is ready, and the rest is being made.
  readonly isEarly: boolean;
  readonly #documents: JsonObject;
  // Rows of the layers that do work, in execution order.
  readonly workRows: Int32Array;
  // Rows of the profile that is shown: those that do work, and all others.
  readonly #shownRows: Int32Array;
  readonly #rowOfId = new Map<number, number>();
  readonly #findingsByLayer: ReadonlyMap<number | null, readonly EngineFinding[]>;
  readonly #byLayer = remembered((table: Table) => new RowsById(table.numbers('layer_id')));
  readonly #graphs: Graphs;
  // Over all layers that do work: cached, because many callers need these.
  readonly #sums = remembered((values: Float64Array) => knownSum(values, this.workRows) ?? 0);
  readonly #totals = remembered((values: Float64Array) => knownSum(values, this.#shownRows) ?? 0);
  #shortNames: readonly (string | null)[] | null = null;
  #parameters: readonly (string | null)[] | null = null;
  #blocks: readonly Block[] | null = null;
  #tensorEnds: TensorEnds | null = null;

  constructor(
    id: string,
    data: ReportEngine,
    findings: readonly EngineFinding[],
    documents: JsonObject,
  ) {
    this.id = id;
    this.summary = data.summary;
    this.strings = data.strings;
    const tables = asObject(data.tables as Json | undefined);
    const table = (name: Key): Table => this.table(tables[name]);
    this.layers = table('layers');
    this.ports = table('ports');
    this.sources = table('sources');
    this.attributes = table('attributes');
    this.files = table('files');
    this.kernels = table('kernels');
    this.#graphs = new Graphs(data.graph as Json | undefined, data.strings);
    this.diagnostics = table('diagnostics');
    this.metadata = table('metadata');
    this.findings = findings.filter((finding) => finding.suppressed === null);
    this.suppressedFindings = findings.filter((finding) => finding.suppressed !== null);
    this.actions = data.actions;
    this.rules = data.rules;
    this.lint = data.lint;
    this.path = data.path;
    this.commands = data.commands;
    this.leftOut = data.left_out;
    this.#documents = documents;
    this.isEarly = !('memory' in documents);
    const hasRoles = this.layers.has('role');
    const work: number[] = [];
    const shown: number[] = [];
    for (let row = 0; row < this.layers.rowCount; row += 1) {
      this.#rowOfId.set(this.layerId(row), row);
      const profile = this.layers.has('profile_index')
        ? this.layers.number('profile_index', row)
        : null;
      if (profile !== null && profile !== this.summary.engine.profile_index) continue;
      shown.push(row);
      if (!hasRoles || this.layers.text('role', row) === 'work') work.push(row);
    }
    work.sort((a, b) => this.layerId(a) - this.layerId(b));
    this.workRows = Int32Array.from(work);
    this.#shownRows = Int32Array.from(shown);
    // The most severe first, in every list of a layer's findings.
    const byGravity = [...this.findings].sort(
      (x, y) => kSeverityOrder[x.severity] - kSeverityOrder[y.severity],
    );
    this.#findingsByLayer = grouped(byGravity, (finding) => finding.layer_id);
  }

  // It was read again from the report's embedded copy: facts about its files come from the files
  // that the report was made from.
  cameFrom(first: Engine): void {
    this.files = first.files;
    this.path = first.path;
    this.commands = first.commands;
    this.leftOut = first.leftOut;
  }

  // A table of the report's data, with the engine's texts.
  table(json: unknown): Table {
    return new Table(json as Json | undefined, this.strings);
  }

  // Derived from a table of layers: one value per row whose layer exists, by the layer's row.
  layersOf<T>(json: unknown, make: (row: number, table: Table, at: number) => T): readonly T[] {
    const table = this.table(json);
    return table.rows.flatMap((at) => {
      const row = this.rowOf(table.number('layer_id', at) ?? -1);
      return row === null ? [] : [make(row, table, at)];
    });
  }

  // From indices into the engine's texts.
  texts(indices: readonly number[] | null): readonly string[] {
    return (indices ?? []).flatMap((index) => this.strings[index] ?? []);
  }

  // Null if the program that wrote the report provided none.
  document<Name extends DocumentName>(name: Name): DocumentOf<Name> | null {
    const document = asObject(this.#documents[name]);
    if (asText(document.schema) === null) return null;
    return readAs(kDocuments[name] as Reader<DocumentOf<Name>>, document);
  }

  get name(): string {
    return this.summary.engine.name;
  }

  get namesOnly(): boolean {
    return this.summary.engine.detail === 'names-only';
  }

  layerId(row: number): number {
    return this.layers.number('layer_id', row) ?? row;
  }

  rowOf(layerId: number): number | null {
    return this.#rowOfId.get(layerId) ?? null;
  }

  // Names as drawn: control characters visible.
  layerName(row: number): string {
    const name = this.layers.text('name', row) ?? '';
    return name === '' ? '(no name)' : visible(name);
  }

  // The name as it is in the file, for copying and searching.
  rawName(row: number): string {
    return this.layers.text('name', row) ?? '';
  }

  // The program's; if it wrote none, the whole name.
  shortName(row: number): string {
    this.#shortNames ??= this.#graphs.texts('short_names', this.layers.rowCount);
    const short = this.#shortNames[row];
    return short === null || short === undefined ? this.layerName(row) : visible(short);
  }

  // "Convolution 3×3 /2"
  typeLine(row: number): string {
    this.#parameters ??= this.#graphs.texts('parameters', this.layers.rowCount);
    return joined([this.layers.text('type', row) ?? 'unknown type', this.#parameters[row]], ' ');
  }

  hasGraph(view: GraphViewName): boolean {
    return this.#graphs.has(view);
  }

  graph(view: GraphViewName): GraphView | null {
    return this.#graphs.view(view);
  }

  // Blocks of the layers that do work, as indices into `workRows`; empty if the groups don't show
  // them.
  get blocks(): readonly Block[] {
    const graph = this.graph('execution');
    this.#blocks ??= graph === null ? [] : blocksOf(graph, this.#workPlaces());
    return this.#blocks;
  }

  #workPlaces(): ReadonlyMap<number, number> {
    return new Map([...this.workRows].map((row, place) => [this.layerId(row), place]));
  }

  family(row: number): FamilyKey {
    return familyKey(this.layers.text('family', row));
  }

  // Only changes type or layout, as the program says.
  isReformat(row: number): boolean {
    if (!this.layers.has('is_reformat')) return this.layers.text('family', row) === 'reformat';
    return this.layers.number('is_reformat', row) === 1;
  }

  findingsOf(row: number): readonly EngineFinding[] {
    return this.#findingsByLayer.get(this.layerId(row)) ?? [];
  }

  portsOf(row: number): readonly number[] {
    return this.#byLayer(this.ports).of(this.layerId(row));
  }

  sourcesOf(row: number): readonly number[] {
    return this.#byLayer(this.sources).of(this.layerId(row));
  }

  attributesOf(row: number): readonly number[] {
    return this.#byLayer(this.attributes).of(this.layerId(row));
  }

  // What a layer launches in one inference, in this order.
  kernelsOf(row: number): readonly number[] {
    return this.#byLayer(this.kernels).of(this.layerId(row));
  }

  // Everything needed when a layer is first selected: computed while the reader is idle.
  prepare(): void {
    for (const table of [this.ports, this.sources, this.attributes, this.kernels]) {
      this.#byLayer(table);
    }
    this.#ends();
  }

  // What flows through a port: its tensor's id, else its name; null if it has neither.
  tensorOf(port: number): number | string | null {
    return this.ports.number('tensor_id', port) ?? this.ports.text('tensor', port);
  }

  #ends(): TensorEnds {
    if (this.#tensorEnds !== null) return this.#tensorEnds;
    const ends: TensorEnds = { producers: new Map(), consumers: new Map() };
    for (let port = 0; port < this.ports.rowCount; port += 1) {
      const tensor = this.tensorOf(port);
      const layer = this.rowOf(this.ports.number('layer_id', port) ?? -1);
      if (tensor === null || layer === null) continue;
      const isOutput = this.ports.text('direction', port) === 'output';
      const own = isOutput ? ends.producers : ends.consumers;
      const known = own.get(tensor);
      // Most tensors have one end of each kind: no list for those.
      if (known === undefined) own.set(tensor, layer);
      else if (typeof known === 'number') own.set(tensor, [known, layer]);
      else known.push(layer);
    }
    this.#tensorEnds = ends;
    return ends;
  }

  // Layers that write what this one reads, and that read what it writes, each once.
  neighbours(row: number): {
    readonly before: readonly number[];
    readonly after: readonly number[];
  } {
    const { producers, consumers } = this.#ends();
    const before = new Set<number>();
    const after = new Set<number>();
    for (const port of this.portsOf(row)) {
      const tensor = this.tensorOf(port);
      if (tensor === null) continue;
      const output = this.ports.text('direction', port) === 'output';
      const found = (output ? consumers : producers).get(tensor) ?? [];
      for (const other of typeof found === 'number' ? [found] : found) {
        if (other !== row) (output ? after : before).add(other);
      }
    }
    return { before: [...before], after: [...after] };
  }

  hasBasis(basis: Basis): boolean {
    return this.layers.has(kBasisColumns[basis]);
  }

  get hasTimes(): boolean {
    return kBases.some((basis) => this.hasBasis(basis));
  }

  // The wanted basis if the engine has it, else the best it has: medians before means.
  basisOr(wanted: Basis): Basis {
    if (this.hasBasis(wanted)) return wanted;
    return kBases.find((basis) => this.hasBasis(basis)) ?? 'median';
  }

  times(basis: Basis): Float64Array {
    return this.layers.numbers(kBasisColumns[basis]);
  }

  // Σ layers: of all records of the shown profile that have a time, as the program adds them up;
  // this includes records that do no work.
  total(basis: Basis): number {
    return this.#totals(this.times(basis));
  }

  // Bytes that layers move: activations and weights, as far as known; a lower bound if a layer's
  // bytes are unknown or it hides some. Null if nothing is known.
  moved(rows: Int32Array): { readonly bytes: number | null; readonly isLeast: boolean } {
    const whole = this.layers.numbers('footprint_bytes');
    const parts = ['io_bytes', 'weight_bytes'].flatMap(
      (column) => knownSum(this.layers.numbers(column), rows) ?? [],
    );
    return {
      bytes: parts.length === 0 ? null : parts.reduce((sum, part) => sum + part),
      isLeast: rows.some(
        (row) => Number.isNaN(whole[row] ?? Number.NaN) || this.family(row) === 'opaque',
      ),
    };
  }

  // The part of Σ layers in records that do no work.
  othersTotal(basis: Basis): number {
    const works = new Set(this.workRows);
    const others = this.#shownRows.filter((row) => !works.has(row));
    return knownSum(this.times(basis), others) ?? 0;
  }

  sum(values: Float64Array, rows: Int32Array = this.workRows): number {
    return rows === this.workRows ? this.#sums(values) : (knownSum(values, rows) ?? 0);
  }

  // The denominator of shares of these values: Σ layers for times, the sum over layers for others.
  whole(values: Float64Array): number {
    const basis = kBases.find((b) => this.layers.numbers(kBasisColumns[b]) === values);
    return basis === undefined ? this.sum(values) : this.total(basis);
  }

  // Share of the sum of layer times. The analyser's own column if it uses this basis, so that the
  // page and the terminal round the same way; else the ratio of the drawn numbers.
  share(row: number, basis: Basis): number | null {
    const isUsual = basis === this.basisOr('median');
    const own = isUsual ? this.layers.number('share', row) : null;
    const corrected = basis === 'corrected' ? this.layers.number('corrected_share', row) : null;
    if ((own ?? corrected) !== null) return own ?? corrected;
    return this.shareOf(knownSum(this.times(basis), [row]), basis);
  }

  // Of Σ layers.
  shareOf(ms: number | null, basis: Basis): number | null {
    const total = this.total(basis);
    return ms === null || !(total > 0) ? null : ms / total;
  }

  extent(basis: Basis): Extent {
    if (this.hasTimes) return { kind: 'time', values: this.times(basis) };
    return this.bytesExtent();
  }

  bytesExtent(): Extent {
    for (const column of ['footprint_bytes', 'io_bytes']) {
      if (this.layers.has(column)) return { kind: 'bytes', values: this.layers.numbers(column) };
    }
    return { kind: 'none', values: new Float64Array(this.layers.rowCount) };
  }
}
