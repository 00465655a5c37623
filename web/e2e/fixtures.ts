// Fills dist/report.html as the C++ renderer does and writes the pages the tests open.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync, inflateSync } from 'node:zlib';

import { realEngine } from './real_engines.ts';
import { reportDocument, type Document, type EngineSpec, type LayerSpec } from './wire_builder.ts';

const kHere = dirname(fileURLToPath(import.meta.url));
export const kFixtures = join(kHere, '.fixtures');

function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

const kTemplate = join(kHere, '../dist/report.html');

export function fill(
  document: unknown,
  encoding: 'deflate-base64' | 'json',
  templateFile = kTemplate,
): string {
  const template = readFileSync(templateFile, 'utf8');
  const json = JSON.stringify(document);
  const payload =
    encoding === 'json'
      ? json.replace(/</g, '\\u003c')
      : deflateSync(json, { level: 6 }).toString('base64');
  const data = `<script type="application/octet-stream" id="planex-data" data-encoding="${encoding}">${payload}</script>`;
  const still = `<h1>${escapeHtml('planex report')}</h1><dl><div><dt>layers</dt><dd>35</dd></div></dl><p>A quarter of the layer time goes into conversions.</p>`;
  return template
    .replace('<!--PLANEX:STATIC-->', () => still)
    .replace('<!--PLANEX:DATA-->', () => data);
}

// The data of a page that is already filled, whoever filled it.
export function readData(html: string): unknown {
  const match = /<script[^>]*id="planex-data"[^>]*data-encoding="([a-z0-9-]+)"[^>]*>([^<]*)</.exec(
    html,
  );
  if (match === null) throw new Error('no data in the page');
  const text = match[2] ?? '';
  return JSON.parse(
    match[1] === 'json' ? text : inflateSync(Buffer.from(text.trim(), 'base64')).toString('utf8'),
  ) as unknown;
}

const kPrecisions = ['INT8', 'FP16', 'FP32'] as const;

// Deterministic: the same layers at every run.
function synthetic(name: string, count: number, scale = 1): EngineSpec {
  const layers = Array.from({ length: count }, (_, i): LayerSpec => {
    const reformat = i % 4 === 3;
    const precision = kPrecisions[(i * 7) % 3] ?? 'FP32';
    const output = reformat ? (kPrecisions[(i * 7 + 1) % 3] ?? 'FP32') : precision;
    const ms = ((((i * 7919) % 97) + 3) / 1000) * scale;
    const port = (tensor: string, dtype: string) => ({
      tensor,
      dims: [8, 64, 56, 56],
      dtype,
      layout: 'NCHW',
      bytes: 1605632,
    });
    return {
      name: reformat
        ? `Reformatting CopyNode for Output Tensor 0 to block${String(i)}`
        : `block${String(Math.floor(i / 8))}.conv${String(i)}.weight + Conv_${String(i)} + Relu_${String(i + 1)}`,
      type: reformat ? 'Reformat' : i % 9 === 2 ? 'Pooling' : 'Convolution',
      family: reformat ? 'reformat' : i % 9 === 2 ? 'pool' : 'convolution',
      precision,
      output_precision: output,
      median_ms: ms,
      mean_ms: ms * 1.05,
      weight_bytes: reformat ? 0 : 36864,
      io_bytes: 3211264,
      macs: reformat ? null : 115605504,
      tactic: `sm80_kernel_${String(i % 31)}`,
      inputs: [port(`t${String(i)}`, precision)],
      outputs: [port(`t${String(i + 1)}`, output)],
      attributes: [['kernel', '3×3']],
      sources: [`Conv_${String(i)}`],
    };
  });
  const total = layers.reduce((sum, l) => sum + (l.median_ms ?? 0), 0);
  return {
    name,
    producer: 'tensorrt',
    version: '10.1',
    evidence: 'in the file',
    device: 'Test device',
    batch: 8,
    layers,
    samples: Array.from({ length: 200 }, (_, i) => total * (0.9 + ((i * 31) % 17) / 2000)),
    findings: [
      {
        rule: 'some-rule',
        severity: 'warning',
        layer_id: 1,
        message: 'A message.',
        estimated_ms: 0.01,
        fix: 'A fix.',
      },
    ],
    conclusion: { headline: 'A made-up engine.', text: 'For the tests.' },
  };
}

function namesOnly(): EngineSpec {
  const rows: readonly (readonly [string, string, string])[] = [
    ['Reformatting CopyNode for Input Tensor 0 to Conv-1 + ReLU-2', 'Reformat', 'reformat'],
    ['Conv-1 + ReLU-2', 'Convolution', 'convolution'],
    ['Reformatting CopyNode for Input Tensor 0 to MaxPool-3', 'Reformat', 'reformat'],
    ['MaxPool-3', 'Pooling', 'pool'],
    ['Conv-4 + ReLU-5', 'Convolution', 'convolution'],
    ['MaxPool-6', 'Pooling', 'pool'],
    ['Transpose-7 + Reshape-7 + reshape_before_MatMul-9', 'Shuffle', 'shuffle'],
    ['MatMul-9 + ReLU-11', 'MatrixMultiply', 'gemm'],
    ['Softmax-14 + ArgMax-15', 'SoftMax', 'norm'],
  ];
  const layers = rows.map(([name, type, family]): LayerSpec => ({
    name,
    type,
    family,
    precision: null,
    output_precision: null,
    median_ms: null,
    mean_ms: null,
    weight_bytes: null,
    io_bytes: null,
  }));
  return {
    name: 'modelInformation',
    producer: 'tensorrt',
    version: null,
    evidence: null,
    device: null,
    batch: null,
    namesOnly: true,
    layers,
    conclusion: {
      headline: `${String(layers.length)} layer names and nothing else.`,
      text: 'The engine was built with profiling verbosity layer_names_only, the default: no types, shapes, precisions or tensors. No profile was given, so there are no times.',
    },
    missing: [
      {
        what: 'Types, tensors, precisions',
        consequence: 'build again with',
        command:
          'trtexec --onnx=model.onnx --fp16 --profilingVerbosity=detailed --saveEngine=model.plan --exportLayerInfo=model.graph.json',
      },
      {
        what: 'Times per layer',
        consequence: 'works with the engine as it is',
        command:
          'trtexec --loadEngine=model.plan --separateProfileRun --exportProfile=model.profile.json --exportTimes=model.times.json',
      },
    ],
  };
}

// Everything a file from a stranger could hold.
export const kHostileNames = [
  '<img src=x onerror="window.pwned=1">',
  '</script><script>window.pwned=2</script>',
  '"><svg onload=window.pwned=3>',
  'javascript:window.pwned=4',
  'x'.repeat(100_000),
  '\u202Egnp.exe\u202C reversed \u2066inside\u2069',
  'line\nbreak\ttab\u0000nul\u001b[31mred',
  '=HYPERLINK("http://example.invalid")',
  'constructor',
  '__proto__',
  'emoji 👩‍👩‍👧 漢字 ' + '字'.repeat(300),
  '<!--PLANEX:DATA-->{{BUILD:CSP}}$&',
] as const;

function hostile(): EngineSpec {
  const base = synthetic('<b onmouseover=window.pwned=5>engine</b>', kHostileNames.length * 2);
  const text = (i: number): string => kHostileNames[i % kHostileNames.length] ?? '';
  const layers = base.layers.map((l, i): LayerSpec => ({
    ...l,
    name: text(i),
    type: i % 3 === 0 ? text(i).slice(0, 3000) : l.type,
    precision: i % 5 === 0 ? text(i) : l.precision,
    tactic: text(i + 1),
    inputs: [
      {
        tensor: text(i + 2),
        dims: [-1, 3],
        dtype: text(i).slice(0, 200),
        layout: text(i),
        bytes: null,
      },
    ],
    attributes: [
      [text(i).slice(0, 300), text(i + 3)],
      ['constructor', '__proto__'],
    ],
    sources: [text(i + 4)],
  }));
  return {
    ...base,
    layers,
    device: kHostileNames[0],
    conclusion: { headline: kHostileNames[0], text: kHostileNames[1] },
    missing: [{ what: kHostileNames[0], consequence: kHostileNames[2], command: kHostileNames[1] }],
    diagnostics: [
      {
        code: 'odd',
        severity: 'warning',
        message: kHostileNames[0],
        count: 3,
        file: kHostileNames[5],
      },
    ],
    findings: [
      {
        rule: '__proto__',
        severity: 'error',
        layer_id: 0,
        message: kHostileNames[0],
        estimated_ms: null,
        fix: kHostileNames[1],
      },
    ],
  };
}

function withoutTimes(spec: EngineSpec): EngineSpec {
  const layers = spec.layers.map((l) => ({ ...l, median_ms: null, mean_ms: null }));
  return { ...spec, samples: [], layers };
}

function meansOnly(spec: EngineSpec): EngineSpec {
  return { ...spec, samples: [], layers: spec.layers.map((l) => ({ ...l, median_ms: null })) };
}

const kCompared = [
  ['resnet18-a100-fp32', 'fp32'],
  ['resnet18-a100-fp16', 'fp16'],
  ['resnet18-a100-qat', 'qat'],
  ['resnet18-a100-qat-residual', 'qat-residual'],
  ['resnet18-a100-qat-residual-qgap', 'qat-residual-qgap'],
] as const;

// A search whose fourth point is beaten where time is what counts, and whose second was written.
function frontOf(): readonly Document[] {
  const rows: readonly (readonly [
    kept: number,
    macs: number,
    bytes: number,
    db: number,
    ms: number,
  ])[] = [
    [0, 0, 0, 11.4, 1.02],
    [1, 0.021, 9_200, 18.9, 1.05],
    [2, 0.055, 30_100, 22.3, 1.11],
    [4, 0.12, 61_000, 24.6, 1.31],
    [7, 0.19, 140_000, 26.2, 1.29],
  ];
  return rows.map(([kept, macs_ratio, weight_bytes, db, ms], point) => ({
    point,
    float_layers: kept,
    kept: Array.from({ length: kept }, (_, i) => `Conv_${String(3 * i + 1)}`),
    macs_ratio,
    weight_bytes,
    ms: macs_ratio * 2,
    median_ms: ms,
    median_low_ms: ms - 0.02,
    median_high_ms: ms + 0.03,
    sqnr_db: db + 0.4,
    top1_ratio: 1,
    judged_sqnr_db: db,
    judged_top1_ratio: 0.9 + 0.02 * point,
    is_chosen: point === 2 ? 1 : 0,
  }));
}

// Of two tensors; the engine's of one alone.
function mapsOf(): readonly Document[] {
  const map = (tensor: string, shown: string, width: number, height: number): Document => ({
    tensor,
    shown,
    channels: 64,
    tensor_height: height * 2,
    tensor_width: width * 2,
    height,
    width,
    step: shown === 'float' ? 0.012 : shown === 'engine' ? 0.004 : 0.001,
    cells: Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
      const at = shown === 'float' ? [0.4, 0.5] : [0.75, 0.3];
      return Math.round(255 * Math.exp(-9 * ((x - (at[0] ?? 0)) ** 2 + (y - (at[1] ?? 0)) ** 2)));
    }),
  });
  return [
    map('t15', 'float', 48, 12),
    map('t15', 'simulated', 48, 12),
    map('t15', 'engine', 48, 12),
    map('t3', 'float', 28, 28),
    map('t3', 'simulated', 28, 28),
  ];
}

// What quantizing lost in an engine of OpenVINO: it falls behind from one layer on, some figures are
// from another engine, one tensor is as in float, and one has values that are not numbers.
function accuracyOf({ layers }: EngineSpec): Document {
  const calibrated = (i: number): Document => ({
    tensor: `t${String(i)}`,
    op_name: i === 0 ? null : `Conv_${String(i - 1)}`,
    layer_id: i === 0 ? null : i - 1,
    min: i % 2 === 0 ? -1.5 : 0,
    max: 6 + i / 10,
    threshold: 4.5,
    scale: 4.5 / 127,
    dtype: 'INT8',
    is_unsigned: 0,
    zero_point: 0,
    scale_group: i,
    clipped_ratio: 0.0007 * i,
    sqnr_db: 34 - i / 3,
    histogram_max: 6 + i / 10,
    histogram: Array.from({ length: 128 }, (_, bin) => Math.round(90_000 * Math.exp(-bin / 9))),
  });
  const tensors = layers.flatMap((_, i): readonly Document[] => {
    if (i % 4 === 3) return [];
    const simulated = i === 5 ? null : 46 - 0.7 * i + ((i * 7) % 5);
    const gap = i < 13 ? 0.4 : 9 + (i % 3);
    return [
      {
        tensor: `t${String(i + 1)}`,
        op_name: `Conv_${String(i)}`,
        op_type: i % 9 === 2 ? 'MaxPool' : 'Conv',
        layer_id: i,
        simulated_db: simulated,
        simulated_is_equal: i === 5 ? 1 : 0,
        engine_db: simulated === null || i === 8 ? null : simulated - gap,
        engine_is_equal: 0,
        engine_not_finite_count: i === 20 ? 3 : 0,
        tap: i === 8 ? 'missing' : i % 10 === 4 ? 'disturbed' : 'verified',
      },
    ];
  });
  const output = (record: string, compared: string, sqnr_db: number): Document => ({
    tensor: 'logits',
    record,
    compared,
    sqnr_db,
    is_equal: 0,
    nan_count: 0,
    inf_count: 0,
    top1_ratio: compared === 'engine' ? 0.9375 : 1,
    top5_ratio: 1,
  });
  return {
    schema: 'planex.report-accuracy/1',
    end_simulated_db: 21.8,
    end_engine_db: 12.6,
    verified: 22,
    disturbed: 4,
    method: 'mse',
    weight_bits: 8,
    target: 'openvino',
    calibration_count: 64,
    judge_count: 16,
    sample_count: 32,
    reference: 'made up.onnx',
    subject: 'made up.int8.onnx',
    runtime_version: '2026.4.1-22982-e213a147257',
    isa: 'avx2',
    is_of_other_engine: false,
    sentences: [
      "The outputs keep 12.6 dB in the engine; the model's own arithmetic keeps 21.8 dB.",
      'The engine falls furthest behind at Conv_14 (Conv).',
    ],
    tensors,
    calibration: [0, 1, 3, 5, 9, 14, 22].map(calibrated),
    outputs: [
      output('quantize', 'simulated', 22.1),
      output('accuracy', 'simulated', 21.8),
      output('accuracy', 'engine', 12.6),
      output('accuracy', 'engine-to-simulated', 13.1),
    ],
    goal: '20 dB',
    cost: 'macs',
    front: frontOf(),
    maps: mapsOf(),
  };
}

// Two engines of the same layers, with what quantizing left of each: B loses more from one layer on.
function comparedAccuracy(a: EngineSpec, b: EngineSpec): Document {
  const count = a.layers.length;
  const all = Array.from({ length: count }, (_, i) => i);
  const ones = all.map((i) => Number(i > 0));
  const ticks = ({ layers }: EngineSpec): readonly number[] =>
    layers.map(({ median_ms }) => Math.round((median_ms ?? 0) * 1e6));
  const db = (i: number): number => 46_000 - 700 * i;
  const way = { verdict_sentence: 'made up', verdict: { judgement: 'unknown' }, delta_ms: 0 };
  const known = (value: (i: number) => number): readonly (number | null)[] =>
    all.map((i) => (i % 4 === 3 ? null : value(i)));
  return {
    engines: [a, b].map(({ name }) => ({ name, label: name, batch_size: 8 })),
    totals: [],
    by_type: [],
    by_precision: [],
    by_output_precision: [],
    threshold_ratio: 0.03,
    words: {
      match: ['source', 'name', 'shape', 'order', 'none'],
      change: ['added', 'removed', 'fused', 'split', 'precision', 'time'],
      cause: ['none'],
      noise: ['spread', 'none'],
      spread: ['sole'],
    },
    engine_pairs: [
      {
        a: 0,
        b: 1,
        directions: [way, way],
        pairs: {
          count,
          tick_fs: 1e6,
          a: { layers: ones },
          b: { layers: ones },
          match: [1, ...all.slice(1).map(() => 0)],
          cause: all.map(() => 0),
          changes: [0b100000, ...all.slice(1).map(() => 0)],
          a_time: ticks(a),
          b_time: ticks(b),
          a_simulated_mdb: known((i) => db(i) + 400),
          b_simulated_mdb: known((i) => db(i) + 200),
          a_engine_mdb: known(db),
          b_engine_mdb: known((i) => db(i) - (i < 13 ? 120 : 9_300)),
        },
      },
    ],
    summaries: [],
  };
}

// One that is slow to write, for those who need it.
export function makeHugeFixture(): void {
  mkdirSync(kFixtures, { recursive: true });
  const document = reportDocument([synthetic('huge.engine', 100_000)]);
  writeFileSync(join(kFixtures, 'huge.html'), fill(document, 'deflate-base64'));
}

export function makeFixtures(): void {
  mkdirSync(kFixtures, { recursive: true });
  const single =
    realEngine('resnet18-a100-qat', 'resnet-qat.onnx.engine') ?? synthetic('made-up.engine', 35);
  // Records that do no work, for the roles.
  const noop: LayerSpec = {
    name: 'folded',
    role: 'noop',
    type: 'NoOp',
    family: 'other',
    precision: null,
    output_precision: null,
    median_ms: null,
    mean_ms: null,
    weight_bytes: null,
    io_bytes: null,
  };
  const withRoles = {
    ...single,
    layers: [...single.layers, noop, { ...noop, name: 'folded too' }],
  };
  const compared = kCompared.map(
    ([set, name], i) => realEngine(set, name) ?? synthetic(name, 30 + i, 5 - i),
  );
  const plain = synthetic('quantized', 36);
  const findings = (plain.findings ?? []).map((one) => ({ ...one, rule: 'quantized-rule' }));
  const quantized = { ...plain, findings };
  const pages: Readonly<Record<string, readonly EngineSpec[]>> = {
    single: [withRoles],
    accuracy: [{ ...quantized, explain: { accuracy: accuracyOf(quantized) } }],
    compare: compared,
    'names-only': [namesOnly()],
    hostile: [hostile()],
    large: [synthetic('large.engine', 10_000)],
    blocks: [realEngine('controlnet-a10-trt8.6', 'controlnet') ?? synthetic('blocks', 240)],
    'no-times': [withoutTimes(single)],
    'means-only': [meansOnly(single)],
  };
  for (const [name, engines] of Object.entries(pages)) {
    const encoding = name === 'hostile' ? 'json' : 'deflate-base64';
    const document = reportDocument(engines);
    writeFileSync(join(kFixtures, `${name}.html`), fill(document, encoding));
    const [first] = document.engines as readonly Document[];
    writeFileSync(join(kFixtures, `${name}.summary.json`), JSON.stringify(first?.summary));
  }
  const sides = [{ ...quantized, name: 'mse' }, synthetic('kl', 36, 0.9)] as const;
  const comparison = comparedAccuracy(...sides);
  const pair = { ...reportDocument(sides), comparison };
  writeFileSync(join(kFixtures, 'accuracy-pair.html'), fill(pair, 'deflate-base64'));
}
