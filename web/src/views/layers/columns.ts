// The columns of the layers table: what each shows, how it sorts, what it copies and sums.

import {
  bar,
  column,
  dimsText,
  equals,
  familyClass,
  fixed,
  inUnit,
  kLimitShort,
  kMissing,
  layerPrecision,
  layerPrecisionText,
  oneDecimal,
  percent,
  quantity,
  severitySign,
  span,
  speedOf,
  timeUnit,
  typeMark,
  visible,
  type Basis,
  type Chip,
  type Column,
  type Content,
  type Engine,
  type Unit,
} from '../../public/index.ts';

const kBarWidth = 60;

export interface LayerColumn extends Column<number> {
  readonly id: string;
  // Title in the list of all columns.
  readonly name: string;
  // Shown by default; 'wide': only in windows of at least 1 000 px.
  readonly standard: boolean | 'wide';
  // Whether there is data for it.
  readonly isThere: boolean;
  // For copying: full precision, in the data's unit.
  text(row: number): string;
  readonly sum?: (rows: Int32Array) => Content;
  readonly chip?: (row: number) => Chip | null;
}

// `isLeast`: a lower bound, because an opaque block hides some of what it moves and computes.
type Options = Partial<LayerColumn> & { readonly isLeast?: boolean };
type Format = (value: number) => string;

// What one drawing of the table shows of an engine.
export interface LayersShown {
  readonly engine: Engine;
  readonly basis: Basis;
  readonly times: Float64Array;
  readonly unit: Unit;
  // From the unfiltered table, so that units and bars do not jump while filtering.
  readonly maxMs: number;
  // The rows in the order on screen.
  readonly rows: () => Int32Array;
}

function raw(value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? '' : String(value);
}

// The sum of the known values; null if none is known, because that is not 0.
function sumOf(values: Float64Array, rows: Int32Array): number | null {
  let sum: number | null = null;
  for (const row of rows) {
    const value = values[row] ?? Number.NaN;
    if (!Number.isNaN(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}

const totalOf =
  (values: Float64Array, format: Format) =>
  (rows: Int32Array): string => {
    const sum = sumOf(values, rows);
    return sum === null ? kMissing : format(sum);
  };
const megabytes: Format = (value) => oneDecimal(value / 1e6);
const giga: Format = (value) => oneDecimal(value / 1e9);
// At most three digits: the rate of a short layer is no more accurate than its time.
const rateText: Format = (value) => fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);

function listed(
  own: Column<number>,
  id: string,
  name: string,
  text: (row: number) => string,
  options: Options,
): LayerColumn {
  return { ...own, id, name, text, standard: false, isThere: true, ...options };
}

function textual(
  id: string,
  name: string,
  width: number | null,
  textOf: (row: number) => string | null | undefined,
  options: Options = {},
): LayerColumn {
  const text = (row: number): string => textOf(row) ?? '';
  const cell = (row: number): Content =>
    text(row) === '' ? span('dim', kMissing) : span('cut', visible(text(row).slice(0, 400)));
  const title = (row: number): string | null =>
    row < 0 ? null : visible(text(row).slice(0, 1000));
  const own = column(name.toLowerCase(), cell, { help: name, width, sortBy: text, title });
  return listed(own, id, name, text, options);
}

function numeric(
  id: string,
  name: string,
  head: string,
  width: number,
  value: (row: number) => number | null | undefined,
  format: Format,
  options: Options = {},
): LayerColumn {
  const own = quantity(id, head, value, format, { help: name, width });
  return listed(own, id, name, (row) => raw(value(row)), options);
}

// Columns of the engine's table of layers, and of its ports.
function ofTable({ engine, unit }: LayersShown) {
  const { layers, ports } = engine;
  const figure = (
    id: string,
    name: string,
    head: string,
    width: number,
    format: Format,
    options: Options = {},
  ): LayerColumn => {
    const own = numeric(id, name, head, width, (row) => layers.number(id, row), format, {
      isThere: layers.has(id),
      ...options,
    });
    const cell = (row: number, at: number, room: number): Content => {
      const text = own.cell(row, at, room);
      const isHidden = text !== kMissing && engine.family(row) === 'opaque';
      return isHidden ? [span('dim', '≥ '), text as string] : text;
    };
    return options.isLeast === true ? { ...own, cell } : own;
  };
  const sumMegabytes = (id: string) => (rows: Int32Array) => {
    const values = layers.numbers(id);
    const misses = rows.some((row) => Number.isNaN(values[row] ?? Number.NaN));
    return totalOf(values, (sum) => (misses ? '≥ ' : '') + megabytes(sum))(rows);
  };
  const bytes = (id: string, name: string, head: string, width: number, options: Options = {}) =>
    figure(id, name, head, width, megabytes, { sum: sumMegabytes(id), ...options });
  const work = (id: string, name: string, head: string, options: Options = {}) =>
    figure(id, name, head, 64, giga, {
      isLeast: true,
      sum: (rows) => totalOf(layers.numbers(id), giga)(rows),
      ...options,
    });
  const time = (id: string, name: string) =>
    figure(id, name, `${name.toLowerCase()} ${unit.unit}`, 76, (ms) => inUnit(ms, unit));
  const word = (id: string, name: string, width: number, field: string, more: Options = {}) => {
    const text = (row: number): string | null => layers.text(id, row);
    const chip = (row: number): Chip | null => {
      const value = text(row);
      return value === null ? null : equals(field, value);
    };
    return textual(id, name, width, text, { isThere: layers.has(id), chip, ...more });
  };
  const ofPort = (
    id: string,
    name: string,
    direction: string,
    read: (port: number) => string | null,
  ) => {
    const isIt = (port: number): boolean => ports.text('direction', port) === direction;
    const text = (row: number): string | null => {
      const port = engine.portsOf(row).find(isIt);
      return port === undefined ? null : read(port);
    };
    return textual(id, name, 124, text, { isThere: ports.rowCount > 0 });
  };
  return { figure, bytes, work, time, word, ofPort };
}

// Number, name, type and precision: the identity of a layer.
function identity(shown: LayersShown): readonly LayerColumn[] {
  const { engine } = shown;
  const { layers } = engine;
  const { word } = ofTable(shown);
  const pair = (row: number): string => (row < 0 ? '' : layerPrecisionText(engine, row));
  return [
    numeric('layer_id', 'Number', '#', 52, (row) => engine.layerId(row), String, {
      standard: true,
      help: 'Position in execution order',
      startsUp: true,
      cell: (row) => span('dim', String(engine.layerId(row))),
    }),
    textual('name', 'Layer', null, (row) => engine.rawName(row), {
      head: 'Layer',
      standard: true,
      help: 'Name of the layer; hover to see all of it',
      cell: (row) => engine.layerName(row),
    }),
    word('type', 'Type', 104, 'type', {
      head: engine.namesOnly ? 'Kind' : 'Type',
      help: 'Layer type; in italics: guessed from the name',
      standard: true,
      isThere: layers.has('type') || layers.has('family'),
      cell: (row) => typeMark(engine, row),
    }),
    word('precision', 'In → out', 116, 'precision', {
      head: 'In → out',
      help: 'Precision of the first data input and of the first output',
      standard: true,
      isThere: layers.has('precision') || layers.has('output_precision'),
      cell: (row) => layerPrecision(engine, row),
      text: pair,
      sortBy: pair,
      title: pair,
    }),
  ];
}

// The time, its bar and its share.
function timing({ engine, basis, times, unit, maxMs }: LayersShown): readonly LayerColumn[] {
  const text: Format = (ms) => inUnit(ms, unit);
  const isThere = engine.hasTimes;
  const all = engine.total(basis);
  const share = (row: number): number | null => engine.share(row, basis);
  const shareHead = basis === 'corrected' ? '% of Σ corr.' : '% of Σ';
  const ownBar = (row: number): HTMLElement =>
    bar((times[row] ?? 0) / maxMs, kBarWidth, familyClass(engine.layers.text('family', row)));
  const bars = column('', ownBar, {
    help: `Full width: ${String(maxMs)} ms`,
    width: kBarWidth + 14,
  });
  return [
    numeric('time', 'Time', unit.unit, 68, (row) => times[row], text, {
      standard: true,
      isThere,
      help: 'Time in the basis chosen above',
      sum: totalOf(times, text),
    }),
    listed(bars, 'bar', 'Time bar', () => '', {
      standard: true,
      isThere,
      sum: (rows) =>
        all > 0 ? bar((sumOf(times, rows) ?? 0) / all, kBarWidth, 'group-bar') : null,
    }),
    numeric('share', '% of Σ', shareHead, 58, share, percent, {
      standard: true,
      isThere,
      help: 'Share of the sum of layer times',
      sum: all > 0 ? totalOf(times, (ms) => percent(ms / all)) : () => kMissing,
    }),
  ];
}

// A layer's rates of memory and compute, and how close they are to its limit.
function rates({ engine, basis }: LayersShown): readonly LayerColumn[] {
  const speed = engine.hasTimes ? speedOf(engine) : null;
  // Cached, because every cell on screen needs it.
  const rate = (kind: 'bytesPerS' | 'flopsPerS' | 'reached') => {
    let values: Float64Array | undefined;
    return (row: number): number | undefined => (values ??= speed?.[kind](basis))?.[row];
  };
  const has = (id: string): boolean => speed !== null && engine.layers.has(id);
  const reached = rate('reached');
  return [
    numeric(
      'bytes_per_s',
      'Bytes per second',
      'GB/s',
      58,
      rate('bytesPerS'),
      (v) => rateText(v / 1e9),
      { standard: 'wide', isThere: has('footprint_bytes'), help: 'Bytes moved ÷ time' },
    ),
    numeric(
      'flops_per_s',
      'Operations per second',
      'TFLOP/s',
      62,
      rate('flopsPerS'),
      (v) => rateText(v / 1e12),
      {
        standard: 'wide',
        isThere: has('flops'),
        help: 'Operations ÷ time, two per multiply-accumulate',
      },
    ),
    numeric('of_limit', '% of limit', '% of limit', 82, reached, String, {
      standard: 'wide',
      isThere: speed?.isAgainstDevice === true,
      help: 'Least possible time ÷ time; limited by memory (mem) or arithmetic (cmp), whichever takes longer',
      cell: (row) => {
        const value = reached(row) ?? Number.NaN;
        const limit = speed?.limit(row) ?? null;
        if (Number.isNaN(value) || limit === null) return kMissing;
        return [`${fixed(value * 100, 0)} `, span('dim', kLimitShort[limit])];
      },
      sum: (rows) => {
        const isAll = rows.length === engine.workRows.length;
        return percent(speed?.total(rows, basis, isAll).reached ?? null);
      },
    }),
  ];
}

function findings({ engine }: LayersShown): LayerColumn {
  const rules = (row: number): readonly string[] => engine.findingsOf(row).map((f) => f.rule);
  return textual('findings', 'Findings', 62, (row) => rules(row).join(' '), {
    head: '',
    help: 'Findings about this layer',
    standard: 'wide',
    isThere: engine.findings.some((finding) => finding.layer_id !== null),
    cell: (row) => {
      const found = engine.findingsOf(row);
      const signs = found.slice(0, 3).map((f) => severitySign(f.severity, visible(f.rule)));
      const rest = found.length - 3;
      return span('signs', ...signs, rest > 0 ? span('dim', `+${String(rest)}`) : null);
    },
    sortBy: (row) => engine.findingsOf(row).length,
    chip: (row) => {
      const [rule] = rules(row);
      return rule === undefined ? null : equals('finding', rule);
    },
  });
}

// Above this, single slow runs raise the mean: the design page's threshold for outliers.
const kOutliers = 1.5;

function meanByMedian({ engine }: LayersShown): LayerColumn {
  const ratio = (row: number): number => {
    const mean = engine.layers.number('mean_ms', row);
    const median = engine.layers.number('median_ms', row);
    return mean === null || median === null || median === 0 ? Number.NaN : mean / median;
  };
  const text: Format = (value) => fixed(value, 2);
  return numeric('mean_by_median', 'Mean ÷ median', 'mean ÷ med.', 84, ratio, text, {
    help: 'Above 1.5, a few slow runs raise the mean',
    isThere: engine.hasBasis('mean') && engine.hasBasis('median'),
    cellClass: (row) => (ratio(row) > kOutliers ? 'slower' : 'dim'),
  });
}

function cumulative({ engine, basis, rows }: LayersShown): LayerColumn {
  let of: Int32Array | null = null;
  const sums = new Float64Array(engine.layers.rowCount);
  const value = (row: number): number | undefined => {
    if (of !== rows()) {
      of = rows();
      sums.fill(Number.NaN);
      let sum = 0;
      for (const one of of) sums[one] = sum += engine.share(one, basis) ?? 0;
    }
    return sums[row];
  };
  const own = numeric('cumulative', 'Cumulative %', 'cum. %', 60, value, percent, {
    help: '% of Σ of this row and all rows above it',
    isThere: engine.hasTimes,
    cellClass: 'dim',
  });
  return { ...own, sortBy: undefined };
}

// All columns, in the order of the table.
export function layerColumns(shown: LayersShown): readonly LayerColumn[] {
  const { engine } = shown;
  const { ports } = engine;
  const { figure, bytes, work, time, word, ofPort } = ofTable(shown);
  const dims = (port: number): string => dimsText(ports.list('dims', port));
  const layout = (port: number): string | null => ports.text('layout', port);
  return [
    ...identity(shown),
    ...timing(shown),
    bytes('footprint_bytes', 'Bytes moved', 'moved MB', 74, {
      ...{ standard: 'wide', isLeast: true },
      help: 'Inputs, outputs and weights; ≥ if an opaque block hides more',
      // Cumulated over all layers, as in the overview.
      sum: (rows) => {
        const moved = engine.moved(rows);
        if (moved.bytes === null) return kMissing;
        return (moved.isLeast ? '≥ ' : '') + megabytes(moved.bytes);
      },
    }),
    ...rates(shown),
    bytes('weight_bytes', 'Weights', 'weights MB', 78, { standard: 'wide' }),
    work('flops', 'Work', 'GFLOP', {
      standard: 'wide',
      help: 'Operations, two per multiply-accumulate',
    }),
    figure('simulated_db', 'Simulated dB', 'sim. dB', 64, (v) => fixed(v, 1), {
      standard: 'wide',
      help: 'SQNR of what the layer writes, in the quantized model’s own arithmetic against the float model',
    }),
    figure('engine_db', 'Engine dB', 'engine dB', 70, (v) => fixed(v, 1), {
      standard: 'wide',
      help: 'SQNR of what the layer writes, in the engine against the float model',
    }),
    findings(shown),
    time('mean_ms', 'Mean'),
    time('median_ms', 'Median'),
    meanByMedian(shown),
    time('min_ms', 'Least'),
    time('max_ms', 'Most'),
    time('total_ms', 'Total'),
    cumulative(shown),
    figure('count', 'Samples', 'samples', 64, (v) => fixed(v, 0)),
    bytes('io_bytes', 'Activation traffic', 'in + out MB', 80, { isLeast: true }),
    bytes('input_bytes', 'Input bytes', 'in MB', 64),
    bytes('output_bytes', 'Output bytes', 'out MB', 64),
    work('macs', 'MACs', 'GMAC'),
    figure('arithmetic_intensity', 'Intensity', 'FLOP/B', 64, oneDecimal),
    ofPort('dims_in', 'First input', 'input', dims),
    ofPort('dims_out', 'First output', 'output', dims),
    ofPort('layout_in', 'Layout in', 'input', layout),
    ofPort('layout_out', 'Layout out', 'output', layout),
    word('compute_precision', 'Computes', 76, 'compute'),
    word('tactic', 'Tactic', 280, 'tactic', { cellClass: 'code-text' }),
    word('subtype', 'Subtype', 120, 'subtype'),
    word('raw_type', 'Raw type', 120, 'raw_type', { chip: () => null }),
    word('origin', 'Origin', 96, 'origin'),
    word('block_id', 'Block', 76, 'block'),
    word('stream', 'Stream', 64, 'stream'),
    word('role', 'Role', 76, 'role'),
  ];
}

// Names matter more than these: they are dropped first, in this order, if there is not room for
// both.
const kFirstToGo = ['flops', 'weight_bytes', 'flops_per_s', 'bytes_per_s'] as const;
const kRoomForNames = 250;

export function standardColumns(
  all: readonly LayerColumn[],
  width: number,
  isNarrow: boolean,
): readonly LayerColumn[] {
  let columns = all.filter(
    (one) => one.isThere && (one.standard === true || (one.standard === 'wide' && !isNarrow)),
  );
  for (const id of kFirstToGo) {
    const others = columns.reduce((sum, one) => sum + (one.width ?? 0), 0);
    if (width - others < kRoomForNames) columns = columns.filter((one) => one.id !== id);
  }
  return columns;
}

export function layersShown(engine: Engine, basis: Basis, rows: () => Int32Array): LayersShown {
  const times = engine.times(basis);
  let maxMs = 0;
  for (const row of engine.workRows) if ((times[row] ?? 0) > maxMs) maxMs = times[row] ?? 0;
  return { engine, basis, times, rows, unit: timeUnit(maxMs), maxMs: maxMs > 0 ? maxMs : 1 };
}
