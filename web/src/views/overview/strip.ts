// The strip of six key figures, each with the line that puts it in proportion. A figure without data
// is a dash with the reason, never a zero.

import {
  bytesQuantity,
  bytesText,
  div,
  el,
  fixed,
  flopsQuantity,
  integer,
  kMissing,
  macsQuantity,
  quantityText,
  percent,
  plural,
  signed,
  significant,
  span,
  speedOf,
  visible,
  type Basis,
  type Child,
  type Engine,
  type Palette,
  type Quantity,
  type Histogram,
} from '../../public/index.ts';

interface Figure {
  readonly label: string;
  readonly aside?: string;
  readonly asideHelp?: string;
  readonly value: readonly Child[];
  readonly sub: string;
  readonly picture?: HTMLElement | null;
}

function key(q: Quantity, word = ''): readonly Child[] {
  if (q.value === kMissing) return [span('key-figure dim', kMissing)];
  const unit = [q.unit, word].filter((part) => part !== '').join(' ');
  return [span('key-figure', q.value, el('small', {}, unit))];
}

const kHistogramWidth = 90;
const kHistogramHeight = 22;
const kMaxBins = 30;

// Bins are joined by twos until they are wide enough to see; the counts stay sums of whole bins.
function histogramCanvas(histogram: Histogram, palette: Palette): HTMLElement {
  let counts = [...histogram.counts];
  while (counts.length > kMaxBins) {
    counts = counts
      .filter((_, i) => i % 2 === 0)
      .map((count, i) => count + (counts[2 * i + 1] ?? 0));
  }
  const scale = window.devicePixelRatio || 1;
  const last = histogram.start_ms + histogram.step_ms * histogram.counts.length;
  const canvas = el('canvas', {
    class: 'histogram',
    attrs: {
      width: kHistogramWidth * scale,
      height: kHistogramHeight * scale,
      role: 'img',
      'aria-label': `Distribution from ${fixed(histogram.start_ms, 3)} to ${fixed(last, 3)} ms`,
      title: `${fixed(histogram.start_ms, 3)} to ${fixed(last, 3)} ms`,
    },
  });
  const g = canvas.getContext('2d');
  if (g === null) return canvas;
  g.scale(scale, scale);
  g.fillStyle = palette.ui('line2');
  g.fillRect(0, kHistogramHeight - 1, kHistogramWidth, 1);
  g.fillStyle = palette.ui('ink3');
  const most = Math.max(...counts, 1);
  const step = kHistogramWidth / counts.length;
  for (const [i, count] of counts.entries()) {
    // One sample in thousands is still seen.
    const h = count > 0 ? Math.max(0.6, ((kHistogramHeight - 2) * count) / most) : 0;
    g.fillRect(i * step, kHistogramHeight - 1 - h, Math.max(1, step - 1), h);
  }
  return canvas;
}

// What an amount makes per second of the measured end to end; null where there is none.
function perSecond(engine: Engine, amount: number | null): number | null {
  const e2e = engine.summary.time.end_to_end;
  const ms = e2e?.median_ms ?? e2e?.mean_ms ?? null;
  return amount === null || ms === null || !(ms > 0) ? null : (amount / ms) * 1e3;
}

const kRateHelp = 'per second of the end-to-end time';

function throughput(perS: number, batch: number | null): string {
  const inferences = `${perS < 100 ? significant(perS, 3) : integer(perS)} inferences/s`;
  return batch === null || batch === 1 ? inferences : `${inferences} × ${integer(batch)}`;
}

function endToEnd(engine: Engine, palette: Palette): Figure {
  const { time } = engine.summary;
  const e2e = time.end_to_end;
  if (e2e === null) {
    return {
      label: 'End to end',
      value: key({ value: kMissing, unit: '' }),
      sub: 'no times file or log',
    };
  }
  const isMedian = e2e.median_ms !== null;
  const ms = e2e.median_ms ?? e2e.mean_ms;
  const sub = [
    e2e.min_ms === null ? null : `min ${fixed(e2e.min_ms, 3)}`,
    // Of fewer samples it is the largest of them.
    e2e.p99_ms === null || (e2e.count !== null && e2e.count < 100)
      ? null
      : `p99 ${fixed(e2e.p99_ms, 3)}`,
    e2e.count === null ? null : `n ${integer(e2e.count)}`,
    e2e.source === 'times' ? null : `from the ${visible(e2e.source)}`,
  ];
  return {
    label: 'End to end',
    ...(time.throughput_per_s === null
      ? {}
      : { aside: throughput(time.throughput_per_s, engine.summary.engine.batch_size) }),
    value: key({ value: fixed(ms, 3), unit: 'ms' }, isMedian ? 'median' : 'mean'),
    sub: sub.filter((part) => part !== null).join(' · '),
    picture: time.histogram === null ? null : histogramCanvas(time.histogram, palette),
  };
}

const kSumOf: Readonly<Record<Basis, string>> = {
  median: 'of medians',
  mean: 'of means',
  corrected: 'corrected',
};

// Under the basis on screen, as all shares below.
function layersSum(engine: Engine, basis: Basis): Figure {
  const { time } = engine.summary;
  if (!engine.hasTimes)
    return { label: 'Σ layers', value: key({ value: kMissing, unit: '' }), sub: 'no profile' };
  const { gap_ms: gap, overhead_us_per_layer: overhead } = time;
  // Layers run one by one under the profiler, so their sum is larger; less is no overhead but
  // overlap. Where timing a layer takes next to nothing, more has another cause.
  const parts = [
    gap === null
      ? null
      : gap > 0 && overhead !== null
        ? `${signed(gap, 3)} profiling`
        : `${fixed(Math.abs(gap), 3)} ${gap > 0 ? 'more' : 'less'} than end to end`,
    overhead === null ? null : `${fixed(overhead, 1)} µs per layer`,
  ].filter((part) => part !== null);
  const reached = speedOf(engine)?.facts.total.reached ?? null;
  return {
    label: 'Σ layers',
    ...(reached === null
      ? {}
      : {
          aside: `${percent(reached)} % of the limit`,
          asideHelp:
            'Least possible time of all layers (bytes and work at peak rates) ÷ their time',
        }),
    value: key({ value: fixed(engine.total(basis), 3), unit: 'ms' }, kSumOf[basis]),
    sub: parts.length > 0 ? parts.join(': ') : 'end to end not known',
  };
}

function compute(engine: Engine): Figure {
  const { flops, macs, layer_count: count } = engine.summary;
  if (flops === null && macs === null) {
    return {
      label: 'Compute',
      value: key({ value: kMissing, unit: '' }),
      sub: 'shapes not in the files',
    };
  }
  const figure = flops === null ? macsQuantity(macs) : flopsQuantity(flops);
  const known = engine.workRows.reduce(
    (n, row) => n + (engine.layers.number('flops', row) === null ? 0 : 1),
    0,
  );
  const parts = [
    flops !== null && macs !== null ? quantityText(macsQuantity(macs)) : null,
    engine.layers.has('flops') ? `known for ${integer(known)} of ${integer(count)}` : null,
  ];
  const rate = perSecond(engine, flops);
  return {
    label: 'Compute',
    ...(rate === null
      ? {}
      : { aside: `${quantityText(flopsQuantity(rate))}/s`, asideHelp: kRateHelp }),
    value: key(figure),
    sub: parts.filter((part) => part !== null).join(' · '),
  };
}

function moved(engine: Engine): Figure {
  const {
    footprint_bytes: bytes,
    activation_bytes: activations,
    weight_bytes: weights,
  } = engine.summary;
  const { isLeast } = engine.moved(engine.workRows);
  if (bytes === null) {
    return {
      label: 'Bytes moved',
      value: key({ value: kMissing, unit: '' }),
      sub: 'tensors not in the files',
    };
  }
  const q = bytesQuantity(bytes);
  const parts = [
    activations === null ? null : `${bytesText(activations)} activations`,
    weights === null ? null : `${bytesText(weights)} weights`,
  ];
  const rate = perSecond(engine, bytes);
  const peak = speedOf(engine)?.facts.device.limits?.bytes_per_s ?? null;
  return {
    label: 'Bytes moved',
    ...(rate === null
      ? {}
      : {
          aside: `${bytesText(rate)}/s${peak === null ? '' : `, ${fixed((rate / peak) * 100, 0)} % of peak`}`,
          asideHelp: kRateHelp,
        }),
    value: key({ value: (isLeast ? '≥ ' : '') + q.value, unit: q.unit }),
    sub: parts.filter((part) => part !== null).join(', '),
  };
}

function memory(engine: Engine): Figure {
  const { weight_bytes: weights, tensor_count: tensors } = engine.summary;
  const peak = engine.summary.memory.peak.bytes;
  const label = 'Memory';
  if (weights === null) {
    return { label, value: key({ value: kMissing, unit: '' }), sub: 'weights not in the files' };
  }
  return {
    label,
    value: key(bytesQuantity(weights), 'weights'),
    sub: peak !== null ? `${bytesText(peak)} peak activations` : plural(tensors, 'tensor'),
  };
}

function findings(engine: Engine): Figure {
  const label = 'Findings';
  const { error, warning, info } = engine.summary.findings;
  if (engine.rules.length === 0 && error + warning + info === 0) {
    return { label, value: key({ value: kMissing, unit: '' }), sub: 'no rules were run' };
  }
  const skipped = engine.rules.filter((rule) => rule.status === 'skipped').length;
  const ran = engine.rules.length - skipped;
  if (ran === 0 && error + warning + info === 0) {
    const sub = `all ${integer(skipped)} rules were skipped`;
    return { label, value: key({ value: kMissing, unit: '' }), sub };
  }
  if (error + warning + info === 0) {
    return {
      label,
      value: [span('key-figure', '0', el('small', {}, `of ${integer(ran)} rules`))],
      sub: skipped > 0 ? `${integer(skipped)} skipped` : 'all rules ran',
    };
  }
  const part = (count: number, one: string): readonly Child[] =>
    count > 0
      ? [span('key-figure', integer(count), el('small', {}, count === 1 ? one : `${one}s`))]
      : [];
  const worth = engine.lint.estimated_ms;
  const sum = engine.summary.time.layers_median_ms ?? engine.summary.time.layers_mean_ms;
  const share =
    worth !== null && sum !== null && sum > 0 ? `, ${percent(worth / sum)} % of Σ layers` : '';
  return {
    label,
    value: [...part(error, 'error'), ...part(warning, 'warning'), ...part(info, 'note')],
    sub:
      worth === null
        ? 'potential saving not known'
        : `saving ≈ ${significant(worth, 2)} ms${share}`,
  };
}

export function keyFigures(engine: Engine, palette: Palette, basis: Basis): HTMLElement {
  const figures = [
    endToEnd(engine, palette),
    layersSum(engine, basis),
    compute(engine),
    moved(engine),
    memory(engine),
    findings(engine),
  ];
  return el(
    'dl',
    { class: 'strip', attrs: { 'aria-label': 'Key figures' } },
    ...figures.map((figure) => {
      const sub = el('dd', { class: 'figure-sub' }, figure.sub);
      sub.title = figure.sub;
      const aside = span('', figure.aside);
      if (figure.asideHelp !== undefined) aside.title = figure.asideHelp;
      return div(
        'figure',
        el('dt', {}, span('', figure.label), span('grow'), aside),
        el('dd', { class: 'figure-value' }, ...figure.value, figure.picture ?? null),
        sub,
      );
    }),
  );
}
