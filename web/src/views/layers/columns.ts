// The columns of the layers table: what each shows, sorts by, copies and sums.

import {
  bar,
  dimsText,
  equals,
  familyClass,
  fixed,
  inUnit,
  kMissing,
  layerPrecision,
  layerPrecisionText,
  oneDecimal,
  percent,
  severitySign,
  span,
  timeUnit,
  typeMark,
  visible,
  type Basis,
  type Engine,
} from '../../public/index.ts';

import { dim, raw, sumOf, type CellContext, type Column } from './column.ts';
import { kBytesPerS, kFlopsPerS, kOfLimit } from './rate_columns.ts';

export const kBarWidth = 60;

type Options = Partial<Pick<Column, 'standard' | 'wide' | 'sum' | 'chip' | 'help' | 'align'>>;

// A number column: a layers column, scaled and formatted.
function numeric(
  id: string,
  title: string,
  head: string,
  width: number,
  format: (value: number) => string,
  options: Options = {},
  least = false,
): Column {
  return {
    id,
    title,
    head: () => head,
    help: options.help ?? title,
    width,
    align: 'right',
    standard: options.standard ?? false,
    wide: options.wide ?? false,
    available: (engine) => engine.layers.has(id),
    cell: (row, { engine }) => {
      const value = engine.layers.number(id, row);
      if (value === null) return dim();
      // What an opaque block hides moves and computes at least this.
      if (least && engine.family(row) === 'opaque') {
        return span('', span('dim', '≥ '), format(value));
      }
      return format(value);
    },
    text: (row, { engine }) => raw(engine.layers.numbers(id)[row]),
    sortBy: ({ engine }) => engine.layers.numbers(id),
    ...(options.sum === undefined ? {} : { sum: options.sum }),
  };
}

function textual(
  id: string,
  title: string,
  width: number,
  field: string | null,
  options: Options & { readonly code?: boolean } = {},
): Column {
  return {
    id,
    title,
    head: () => title.toLowerCase(),
    help: options.help ?? title,
    width,
    align: 'left',
    standard: options.standard ?? false,
    wide: options.wide ?? false,
    available: (engine) => engine.layers.has(id),
    cell: (row, { engine }) => {
      const value = engine.layers.text(id, row);
      if (value === null || value === '') return dim();
      const node = span(
        options.code === true ? 'cut code-text' : 'cut',
        visible(value.slice(0, 400)),
      );
      node.title = visible(value.slice(0, 1000));
      return node;
    },
    text: (row, { engine }) => engine.layers.text(id, row) ?? '',
    sortBy:
      ({ engine }) =>
      (row) =>
        engine.layers.text(id, row) ?? '',
    chip: (row, engine) => {
      const value = engine.layers.text(id, row);
      return value === null || field === null ? null : equals(field, value);
    },
  };
}

const megabytes = (value: number): string => oneDecimal(value / 1e6);
const sumMegabytes =
  (id: string) =>
  (rows: Int32Array, { engine }: CellContext): string => {
    const values = engine.layers.numbers(id);
    const sum = sumOf(values, rows);
    if (sum === null) return kMissing;
    const misses = rows.some((row) => Number.isNaN(values[row] ?? Number.NaN));
    return (misses ? '≥ ' : '') + megabytes(sum);
  };
// As the overview has it of all layers.
const sumMoved = (rows: Int32Array, { engine }: CellContext): string => {
  const { bytes, isLeast } = engine.moved(rows);
  return bytes === null ? kMissing : (isLeast ? '≥ ' : '') + megabytes(bytes);
};
const orMissing = (sum: number | null, format: (value: number) => string): string =>
  sum === null ? kMissing : format(sum);
const giga = (value: number): string => oneDecimal(value / 1e9);
const sumGiga =
  (id: string) =>
  (rows: Int32Array, { engine }: CellContext): string =>
    orMissing(sumOf(engine.layers.numbers(id), rows), giga);

const kNumber: Column = {
  id: 'layer_id',
  title: 'Number',
  head: () => '#',
  help: 'Position in execution order',
  width: 52,
  align: 'right',
  standard: true,
  wide: false,
  available: () => true,
  cell: (row, { engine }) => span('dim', String(engine.layerId(row))),
  text: (row, { engine }) => String(engine.layerId(row)),
  sortBy: ({ engine }) =>
    Float64Array.from({ length: engine.layers.rowCount }, (_, row) => engine.layerId(row)),
};

const kName: Column = {
  id: 'name',
  title: 'Layer',
  head: () => 'Layer',
  help: 'Name of the layer; hover for all of it',
  width: null,
  align: 'left',
  standard: true,
  wide: false,
  available: () => true,
  // Drawn by the table, which knows the width.
  cell: (row, { engine }) => engine.layerName(row),
  text: (row, { engine }) => engine.rawName(row),
  sortBy:
    ({ engine }) =>
    (row) =>
      engine.rawName(row),
};

const kType: Column = {
  ...textual('type', 'Type', 104, 'type', { standard: true }),
  head: ({ engine }) => (engine.namesOnly ? 'Kind' : 'Type'),
  help: 'Layer type; in italics: guessed from the name',
  available: (engine) => engine.layers.has('type') || engine.layers.has('family'),
  cell: (row, { engine }) => typeMark(engine, row),
};

const kPrecision: Column = {
  id: 'precision',
  title: 'In → out',
  head: () => 'In → out',
  help: 'Precision of the first data input and of the first output',
  width: 116,
  align: 'left',
  standard: true,
  wide: false,
  available: (engine) => engine.layers.has('precision') || engine.layers.has('output_precision'),
  cell: (row, { engine }) => layerPrecision(engine, row),
  text: (row, { engine }) => layerPrecisionText(engine, row),
  sortBy:
    ({ engine }) =>
    (row) =>
      layerPrecisionText(engine, row),
  chip: (row, engine) => {
    const value = engine.layers.text('precision', row);
    return value === null ? null : equals('precision', value);
  },
};

const kTime: Column = {
  id: 'time',
  title: 'Time',
  head: ({ unit }) => unit.unit,
  help: 'Time in the basis chosen above',
  width: 68,
  align: 'right',
  standard: true,
  wide: false,
  available: (engine) => engine.hasTimes,
  cell: (row, { times, unit }) => {
    const time = times[row] ?? Number.NaN;
    return Number.isNaN(time) ? dim() : inUnit(time, unit);
  },
  text: (row, { times }) => raw(times[row]),
  sortBy: ({ times }) => times,
  sum: (rows, { times, unit }) => orMissing(sumOf(times, rows), (ms) => inUnit(ms, unit)),
};

const kBar: Column = {
  id: 'bar',
  title: 'Time bar',
  head: () => '',
  help: 'Time, in the color of the type',
  width: kBarWidth + 14,
  align: 'left',
  standard: true,
  wide: false,
  available: (engine) => engine.hasTimes,
  cell: (row, { times, maxMs, engine }) =>
    bar((times[row] ?? 0) / maxMs, kBarWidth, familyClass(engine.layers.text('family', row))),
  text: () => '',
};

const kShare: Column = {
  id: 'share',
  title: '% of Σ',
  head: ({ basis }) => (basis === 'corrected' ? '% of Σ corr.' : '% of Σ'),
  help: 'Share of the sum of layer times',
  width: 58,
  align: 'right',
  standard: true,
  wide: false,
  available: (engine) => engine.hasTimes,
  cell: (row, { engine, basis }) => {
    const share = engine.share(row, basis);
    return share === null ? dim() : percent(share);
  },
  text: (row, { engine, basis }) => raw(engine.share(row, basis) ?? undefined),
  sortBy: ({ times }) => times,
  sum: (rows, { engine, times, basis }) => {
    const all = engine.total(basis);
    return all > 0 ? orMissing(sumOf(times, rows), (ms) => percent(ms / all)) : kMissing;
  },
};

const kCumulative: Column = {
  id: 'cumulative',
  title: 'Cumulative %',
  head: () => 'cum. %',
  help: '% of Σ of this row and all rows above it',
  width: 60,
  align: 'right',
  standard: false,
  wide: false,
  available: (engine) => engine.hasTimes,
  cell: (row, { cumulative }) => span('dim', percent(cumulative()[row])),
  text: (row, { cumulative }) => raw(cumulative()[row]),
};

const kFindings: Column = {
  id: 'findings',
  title: 'Findings',
  head: () => '',
  help: 'Findings about this layer',
  width: 62,
  align: 'left',
  standard: true,
  wide: true,
  available: (engine) => engine.findings.some((finding) => finding.layer_id !== null),
  cell: (row, { engine }) => {
    const findings = engine.findingsOf(row);
    const signs = findings.slice(0, 3).map((f) => severitySign(f.severity, visible(f.rule)));
    return span(
      'signs',
      ...signs,
      findings.length > 3 ? span('dim', `+${String(findings.length - 3)}`) : null,
    );
  },
  text: (row, { engine }) =>
    engine
      .findingsOf(row)
      .map((f) => f.rule)
      .join(' '),
  sortBy: ({ engine }) =>
    Float64Array.from(
      { length: engine.layers.rowCount },
      (_, row) => engine.findingsOf(row).length,
    ),
  chip: (row, engine) => {
    const rule = engine.findingsOf(row)[0]?.rule;
    return rule === undefined ? null : equals('finding', rule);
  },
};

function timeColumn(id: string, title: string): Column {
  const column = numeric(id, title, title.toLowerCase(), 76, String);
  return {
    ...column,
    head: ({ unit }) => `${title.toLowerCase()} ${unit.unit}`,
    cell: (row, { engine, unit }) => {
      const value = engine.layers.number(id, row);
      return value === null ? dim() : inUnit(value, unit);
    },
  };
}

function ratioOf(engine: Engine, row: number): number {
  const mean = engine.layers.number('mean_ms', row);
  const median = engine.layers.number('median_ms', row);
  return mean === null || median === null || median === 0 ? Number.NaN : mean / median;
}

// Above this, single slow runs lift the mean: the design page's threshold for outliers.
const kOutliers = 1.5;

const kMeanByMedian: Column = {
  id: 'mean_by_median',
  title: 'Mean ÷ median',
  head: () => 'mean ÷ med.',
  help: 'Above 1.5, a few slow runs raise the mean',
  width: 84,
  align: 'right',
  standard: false,
  wide: false,
  available: (engine) => engine.hasBasis('mean') && engine.hasBasis('median'),
  cell: (row, { engine }) => {
    const ratio = ratioOf(engine, row);
    if (Number.isNaN(ratio)) return dim();
    return span(ratio > kOutliers ? 'slower' : 'dim', fixed(ratio, 2));
  },
  text: (row, { engine }) => raw(ratioOf(engine, row)),
  sortBy: ({ engine }) =>
    Float64Array.from({ length: engine.layers.rowCount }, (_, row) => ratioOf(engine, row)),
};

function firstPort(engine: Engine, row: number, direction: string): number | undefined {
  return engine.portsOf(row).find((port) => engine.ports.text('direction', port) === direction);
}

function portColumn(
  id: string,
  title: string,
  direction: string,
  read: (engine: Engine, port: number) => string | null,
): Column {
  const text = (engine: Engine, row: number): string | null => {
    const port = firstPort(engine, row, direction);
    return port === undefined ? null : read(engine, port);
  };
  return {
    id,
    title,
    head: () => title.toLowerCase(),
    help: title,
    width: 124,
    align: 'left',
    standard: false,
    wide: false,
    available: (engine) => engine.ports.rowCount > 0,
    cell: (row, { engine }) => {
      const value = text(engine, row);
      return value === null ? dim() : span('cut', visible(value));
    },
    text: (row, { engine }) => text(engine, row) ?? '',
    sortBy:
      ({ engine }) =>
      (row) =>
        text(engine, row) ?? '',
  };
}

export const kColumns: readonly Column[] = [
  kNumber,
  kName,
  kType,
  kPrecision,
  kTime,
  kBar,
  kShare,
  numeric(
    'footprint_bytes',
    'Bytes moved',
    'moved MB',
    74,
    megabytes,
    {
      standard: true,
      wide: true,
      help: 'Inputs, outputs and weights; ≥ where an opaque block hides more',
      sum: sumMoved,
    },
    true,
  ),
  kBytesPerS,
  kFlopsPerS,
  kOfLimit,
  numeric('weight_bytes', 'Weights', 'weights MB', 78, megabytes, {
    standard: true,
    wide: true,
    sum: sumMegabytes('weight_bytes'),
  }),
  numeric(
    'flops',
    'Work',
    'GFLOP',
    64,
    giga,
    {
      standard: true,
      wide: true,
      help: 'Operations, two per multiply-accumulate',
      sum: sumGiga('flops'),
    },
    true,
  ),
  numeric('simulated_db', 'Simulated dB', 'sim. dB', 64, (v) => fixed(v, 1), {
    standard: true,
    wide: true,
    help: 'SQNR of what the layer writes, in the quantized model’s own arithmetic against the float model',
  }),
  numeric('engine_db', 'Engine dB', 'engine dB', 70, (v) => fixed(v, 1), {
    standard: true,
    wide: true,
    help: 'SQNR of what the layer writes, in the engine against the float model',
  }),
  kFindings,
  timeColumn('mean_ms', 'Mean'),
  timeColumn('median_ms', 'Median'),
  kMeanByMedian,
  timeColumn('min_ms', 'Least'),
  timeColumn('max_ms', 'Most'),
  timeColumn('total_ms', 'Total'),
  kCumulative,
  numeric('count', 'Samples', 'samples', 64, (v) => fixed(v, 0)),
  numeric(
    'io_bytes',
    'Activation traffic',
    'in + out MB',
    80,
    megabytes,
    { sum: sumMegabytes('io_bytes') },
    true,
  ),
  numeric('input_bytes', 'Input bytes', 'in MB', 64, megabytes, {
    sum: sumMegabytes('input_bytes'),
  }),
  numeric('output_bytes', 'Output bytes', 'out MB', 64, megabytes, {
    sum: sumMegabytes('output_bytes'),
  }),
  numeric('macs', 'MACs', 'GMAC', 64, giga, { sum: sumGiga('macs') }, true),
  numeric('arithmetic_intensity', 'Intensity', 'FLOP/B', 64, (v) => oneDecimal(v)),
  portColumn('dims_in', 'First input', 'input', (e, p) => dimsText(e.ports.list('dims', p))),
  portColumn('dims_out', 'First output', 'output', (e, p) => dimsText(e.ports.list('dims', p))),
  portColumn('layout_in', 'Layout in', 'input', (e, p) => e.ports.text('layout', p)),
  portColumn('layout_out', 'Layout out', 'output', (e, p) => e.ports.text('layout', p)),
  textual('compute_precision', 'Computes', 76, 'compute'),
  textual('tactic', 'Tactic', 280, 'tactic', { code: true }),
  textual('subtype', 'Subtype', 120, 'subtype'),
  textual('raw_type', 'Raw type', 120, null),
  textual('origin', 'Origin', 96, 'origin'),
  textual('block_id', 'Block', 76, 'block'),
  textual('stream', 'Stream', 64, 'stream'),
  textual('role', 'Role', 76, 'role'),
];

// Names matter more than these: they go first, in this order, where there is not room for both.
const kFirstToGo = ['flops', 'weight_bytes', 'flops_per_s', 'bytes_per_s'] as const;
const kRoomForNames = 250;

export function standardColumns(engine: Engine, width: number, narrow: boolean): readonly Column[] {
  let columns = kColumns.filter((c) => c.standard && c.available(engine) && !(narrow && c.wide));
  for (const id of kFirstToGo) {
    const others = columns.reduce((sum, column) => sum + (column.width ?? 0), 0);
    if (width - others < kRoomForNames) columns = columns.filter((column) => column.id !== id);
  }
  return columns;
}

export function makeContext(engine: Engine, basis: Basis, shown: () => Int32Array): CellContext {
  const times = engine.times(basis);
  let maxMs = 0;
  for (const row of engine.workRows)
    maxMs = Math.max(maxMs, Number.isNaN(times[row]) ? 0 : (times[row] ?? 0));
  let cumulative: Float64Array | null = null;
  return {
    engine,
    basis,
    times,
    maxMs: maxMs > 0 ? maxMs : 1,
    unit: timeUnit(maxMs),
    sumBar: (rows) => {
      const all = engine.total(basis);
      return all > 0 ? bar((sumOf(times, rows) ?? 0) / all, kBarWidth, 'group-bar') : null;
    },
    cumulative: () => {
      if (cumulative !== null) return cumulative;
      cumulative = new Float64Array(engine.layers.rowCount).fill(Number.NaN);
      let sum = 0;
      for (const row of shown()) {
        sum += engine.share(row, basis) ?? 0;
        cumulative[row] = sum;
      }
      return cumulative;
    },
  };
}
