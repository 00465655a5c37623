// Engines with the numbers of real ones, where the test data are there; null where they are not.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { EngineSpec, FindingSpec, LayerSpec, PortSpec } from './wire_builder.ts';

const kHere = dirname(fileURLToPath(import.meta.url));
const kData = resolve(process.env.PLANEX_TEST_DATA ?? join(kHere, '../../../shared/data'));

type RawPort = readonly [string, readonly number[], string];

interface RawLayer {
  readonly name: string;
  readonly type: string;
  readonly precision: string;
  readonly output_precision: string;
  readonly avg_ms?: number;
  readonly median_ms?: number;
  readonly weights_bytes: number;
  readonly io_bytes: number;
  readonly tactic: string;
  readonly in: readonly RawPort[];
  readonly out: readonly RawPort[];
}

interface RawConv {
  readonly name: string;
  readonly macs: number;
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  readonly groups: number;
  readonly activation: string;
}

interface RawEngine {
  readonly layers: readonly RawLayer[];
  readonly convs?: readonly RawConv[];
}

const kFamilies: Readonly<Record<string, string>> = {
  Convolution: 'convolution',
  ConvActPool: 'convolution',
  Deconvolution: 'convolution',
  MatrixMultiply: 'gemm',
  gemm: 'gemm',
  Myelin: 'opaque',
  kgen: 'opaque',
  ForeignNode: 'opaque',
  PointWise: 'pointwise',
  ElementWise: 'pointwise',
  Scale: 'norm',
  SoftMax: 'norm',
  Pooling: 'pool',
  Reduce: 'pool',
  Shuffle: 'shuffle',
  Slice: 'shuffle',
  PluginV2: 'plugin',
  Reformat: 'reformat',
  MyelinReformat: 'reformat',
};

function port([tensor, dims, format]: RawPort): PortSpec {
  const [dtype = '', ...layout] = format.split(' ');
  const widths: Readonly<Record<string, number>> = { FP32: 4, FP16: 2, INT8: 1, INT32: 4 };
  const width = widths[dtype.toUpperCase()];
  const count = dims.reduce((product, d) => product * d, 1);
  return {
    tensor,
    dims,
    dtype: dtype.toUpperCase(),
    layout: layout.join(' '),
    bytes: width === undefined ? null : count * width,
  };
}

function samples(set: string): readonly number[] | undefined {
  const folder = join(kData, 'engines', set);
  const files = [
    'resnet-qat',
    'resnet-qat-residual',
    'resnet-qat-residual-qgap',
    'resnet',
    'resnet-fp16',
  ];
  for (const file of files) {
    const path = join(folder, `${file}.onnx.engine.timing.json`);
    if (!existsSync(path)) continue;
    const rows = JSON.parse(readFileSync(path, 'utf8')) as readonly {
      readonly computeMs: number;
    }[];
    return rows.map((r) => r.computeMs);
  }
  return undefined;
}

function layer(raw: RawLayer, conv: RawConv | undefined): LayerSpec {
  return {
    name: raw.name,
    type: raw.type,
    family: kFamilies[raw.type] ?? 'other',
    precision: raw.precision,
    output_precision: raw.output_precision,
    median_ms: raw.median_ms ?? null,
    mean_ms: raw.avg_ms ?? null,
    weight_bytes: raw.weights_bytes,
    io_bytes: raw.io_bytes,
    macs: conv?.macs ?? null,
    tactic: raw.tactic,
    inputs: raw.in.map(port),
    outputs: raw.out.map(port),
    sources: raw.name.split(' + '),
    attributes:
      conv === undefined
        ? []
        : [
            ['kernel', conv.kernel.join('×')],
            ['stride', conv.stride.join('×')],
            ['groups', String(conv.groups)],
            ['activation', conv.activation],
          ],
  };
}

function findings(layers: readonly LayerSpec[]): readonly FindingSpec[] {
  return layers.flatMap((l, layer_id): readonly FindingSpec[] =>
    l.family === 'convolution' && l.precision === 'INT8' && l.output_precision !== 'INT8'
      ? [
          {
            rule: 'int8-conv-writes-float',
            severity: 'warning',
            layer_id,
            message: `Takes INT8, writes ${l.output_precision ?? ''}; the next convolution needs a reformat.`,
            estimated_ms: 0.017,
            fix: 'Quantize the residual branch too, so that the addition stays in INT8.',
          },
        ]
      : [],
  );
}

export function realEngine(set: string, name: string): EngineSpec | null {
  const path = join(kData, 'expected', `${set}.json`);
  if (!existsSync(path)) return null;
  const raw = JSON.parse(readFileSync(path, 'utf8')) as RawEngine;
  const convs = new Map((raw.convs ?? []).map((c) => [c.name, c]));
  const layers = raw.layers.map((l) => layer(l, convs.get(l.name)));
  const reformats = layers.filter((l) => l.family === 'reformat');
  const time = samples(set);
  return {
    name,
    producer: 'tensorrt',
    version: '8.4-class',
    evidence: 'no HasDynamicFilter key',
    device: set.includes('a100') ? 'NVIDIA A100 80GB PCIe' : 'NVIDIA A10',
    batch: set.includes('resnet18') ? 32 : 1,
    layers,
    ...(time === undefined ? {} : { samples: time }),
    findings: findings(layers),
    conclusion: {
      headline:
        reformats.length > 5
          ? 'A quarter of the layer time goes into conversions.'
          : 'Few layers convert types.',
      text: `${String(reformats.length)} of ${String(layers.length)} layers are reformats.`,
    },
  };
}
