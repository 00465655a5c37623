// The strip of six key figures, each with a line of context. A figure without data is a dash with
// the reason, never a zero.

import {
  bytesQuantity,
  bytesText,
  el,
  figureStrip,
  fixed,
  flopsQuantity,
  integer,
  joined,
  keyFigure,
  kMissing,
  macsQuantity,
  percent,
  plural,
  quantityText,
  savingOf,
  savingText,
  signed,
  significant,
  speedOf,
  visible,
  type Basis,
  type Child,
  type Engine,
  type Histogram,
  type Quantity,
  type StripFigure,
} from '../../public/index.ts';

const kMaxBins = 30;
const kRateHelp = 'per second of the end-to-end time';

const missing = (label: string, why: string): StripFigure => ({
  label,
  value: keyFigure(kMissing),
  sub: why,
});

const quantityFigure = ({ value, unit }: Quantity, word = ''): HTMLElement =>
  keyFigure(value, joined([unit, word], ' '));

// Bins are merged in pairs until they are wide enough to see; counts stay sums of whole bins.
function histogramPicture({ counts: all, start_ms: from, step_ms: step }: Histogram): HTMLElement {
  let counts = [...all];
  while (counts.length > kMaxBins) {
    counts = counts
      .filter((_, i) => i % 2 === 0)
      .map((count, i) => count + (counts[2 * i + 1] ?? 0));
  }
  const most = Math.max(...counts, 1);
  const range = `${fixed(from, 3)} to ${fixed(from + step * all.length, 3)} ms`;
  const attrs = { role: 'img', 'aria-label': `Distribution from ${range}`, title: range };
  return el(
    'span',
    { class: 'histogram', attrs },
    ...counts.map((count) => {
      // One sample in thousands stays visible.
      const height = count > 0 ? Math.max(3, (100 * count) / most) : 0;
      return el('span', { css: { height: `${height.toFixed(1)}%` } });
    }),
  );
}

// An amount per second of the measured end-to-end time; null if there is none.
function perSecond(engine: Engine, amount: number | null): number | null {
  const e2e = engine.summary.time.end_to_end;
  const ms = e2e?.median_ms ?? e2e?.mean_ms ?? null;
  return amount === null || ms === null || !(ms > 0) ? null : (amount / ms) * 1e3;
}

function throughput(perS: number, batch: number | null): string {
  const inferences = `${perS < 100 ? significant(perS, 3) : integer(perS)} inferences/s`;
  return batch === null || batch === 1 ? inferences : `${inferences} × ${integer(batch)}`;
}

function endToEnd({ summary }: Engine): StripFigure {
  const label = 'End to end';
  const { end_to_end: e2e, throughput_per_s: rate, histogram } = summary.time;
  if (e2e === null) return missing(label, 'no times file or log');
  const { min_ms: min, p99_ms: p99, count, source } = e2e;
  const ms = fixed(e2e.median_ms ?? e2e.mean_ms, 3);
  const sub = [
    min !== null && `min ${fixed(min, 3)}`,
    // With fewer samples the percentile is the largest of them.
    p99 !== null && (count === null || count >= 100) && `p99 ${fixed(p99, 3)}`,
    count !== null && `n ${integer(count)}`,
    source !== 'times' && `from the ${visible(source)}`,
  ];
  return {
    label,
    aside: rate !== null && throughput(rate, summary.engine.batch_size),
    value: [
      keyFigure(ms, `ms ${e2e.median_ms === null ? 'mean' : 'median'}`),
      histogram !== null && histogramPicture(histogram),
    ],
    sub: joined(sub, ' · '),
  };
}

const kSumOf: Readonly<Record<Basis, string>> = {
  median: 'of medians',
  mean: 'of means',
  corrected: 'corrected',
};

// Layers run one by one under the profiler, so their sum is larger; a smaller sum means overlap,
// not overhead. If timing a layer takes next to nothing, a larger sum has another cause.
function gapText(gap: number, isOverhead: boolean): string {
  if (gap > 0 && isOverhead) return `${signed(gap, 3)} profiling`;
  return `${fixed(Math.abs(gap), 3)} ${gap > 0 ? 'more' : 'less'} than end to end`;
}

// In the basis on screen, like all shares below.
function layersSum(engine: Engine, basis: Basis): StripFigure {
  const label = 'Σ layers';
  if (!engine.hasTimes) return missing(label, 'no profile');
  const { gap_ms: gap, overhead_us_per_layer: overhead } = engine.summary.time;
  const parts = [
    gap !== null && gapText(gap, overhead !== null),
    overhead !== null && `${fixed(overhead, 1)} µs per layer`,
  ];
  const reached = speedOf(engine)?.facts.total.reached ?? null;
  return {
    label,
    aside: reached !== null && `${percent(reached)} % of the limit`,
    asideHelp: 'Least possible time of all layers (bytes and work at peak rates) ÷ their time',
    value: keyFigure(fixed(engine.total(basis), 3), `ms ${kSumOf[basis]}`),
    sub: joined(parts, ': ') || 'end to end not known',
  };
}

function compute(engine: Engine): StripFigure {
  const label = 'Compute';
  const { flops, least_flops: least, macs, layer_count: count } = engine.summary;
  const { layers } = engine;
  if (flops === null && macs === null) return missing(label, 'shapes not in the files');
  const known = engine.workRows.filter((row) => layers.number('flops', row) !== null).length;
  // It is unknown which branch of a conditional ran, so the rate is too.
  const rate = least === null ? perSecond(engine, flops) : null;
  const sub = [
    least === null
      ? flops !== null && macs !== null && quantityText(macsQuantity(macs))
      : `${quantityText(flopsQuantity(least))} at least, by the branch that runs`,
    layers.has('flops') && `known for ${integer(known)} of ${integer(count)}`,
  ];
  return {
    label,
    aside: rate !== null && `${quantityText(flopsQuantity(rate))}/s`,
    asideHelp: kRateHelp,
    value: quantityFigure(flops === null ? macsQuantity(macs) : flopsQuantity(flops)),
    sub: joined(sub, ' · '),
  };
}

function moved(engine: Engine): StripFigure {
  const label = 'Bytes moved';
  const { footprint_bytes: bytes, activation_bytes, weight_bytes } = engine.summary;
  if (bytes === null) return missing(label, 'tensors not in the files');
  const { isLeast } = engine.moved(engine.workRows);
  const { value, unit } = bytesQuantity(bytes);
  const rate = perSecond(engine, bytes);
  const peak = speedOf(engine)?.facts.device.limits?.bytes_per_s ?? null;
  const ofPeak = rate !== null && peak !== null && `${fixed((rate / peak) * 100, 0)} % of peak`;
  const sub = [
    activation_bytes !== null && `${bytesText(activation_bytes)} activations`,
    weight_bytes !== null && `${bytesText(weight_bytes)} weights`,
  ];
  return {
    label,
    aside: rate !== null && joined([`${bytesText(rate)}/s`, ofPeak], ', '),
    asideHelp: kRateHelp,
    value: keyFigure((isLeast ? '≥ ' : '') + value, unit),
    sub: joined(sub, ', '),
  };
}

function memory({ summary }: Engine): StripFigure {
  const label = 'Memory';
  const { weight_bytes: weights, tensor_count: tensors } = summary;
  if (weights === null) return missing(label, 'weights not in the files');
  const peak = summary.memory.peak.bytes;
  return {
    label,
    value: quantityFigure(bytesQuantity(weights), 'weights'),
    sub: peak === null ? plural(tensors, 'tensor') : `${bytesText(peak)} peak activations`,
  };
}

function findings({ summary, rules, actions }: Engine): StripFigure {
  const label = 'Findings';
  const { error, warning, info } = summary.findings;
  const skipped = rules.filter((rule) => rule.status === 'skipped').length;
  const ran = rules.length - skipped;
  if (error + warning + info === 0) {
    if (rules.length === 0) return missing(label, 'no rules were run');
    if (ran === 0) return missing(label, `all ${integer(skipped)} rules were skipped`);
    return {
      label,
      value: keyFigure('0', `of ${integer(ran)} rules`),
      sub: skipped > 0 ? `${integer(skipped)} skipped` : 'all rules ran',
    };
  }
  const part = (count: number, one: string): Child =>
    count > 0 && keyFigure(integer(count), count === 1 ? one : `${one}s`);
  const { low, high } = savingOf(actions);
  return {
    label,
    value: [part(error, 'error'), part(warning, 'warning'), part(info, 'note')],
    sub: high === null ? 'potential saving not known' : `all actions save ${savingText(low, high)}`,
  };
}

export function keyFigures(engine: Engine, basis: Basis): HTMLElement {
  return figureStrip('Key figures', [
    endToEnd(engine),
    layersSum(engine, basis),
    compute(engine),
    moved(engine),
    memory(engine),
    findings(engine),
  ]);
}
