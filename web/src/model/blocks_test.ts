import { describe, expect, it } from 'vitest';

import { findBlocks, scopeOf, type ScopedLayer } from './blocks.ts';

describe('scopeOf', () => {
  it('reads dotted names and paths', () => {
    expect(scopeOf('layer1.0.conv2.weight + QuantizeLinear_32 + Conv_34')).toEqual([
      'layer1',
      '0',
      'conv2',
    ]);
    expect(scopeOf('/features/features.0/features.0.1/Conv')).toEqual(['features', '0', '1']);
    expect(scopeOf('layer2.1.conv1/WithoutBiases')).toEqual(['layer2', '1', 'conv1']);
    expect(scopeOf('PWN(PWN(/hint/hint.1/Sigmoid), /hint/hint.1/Mul)')).toEqual(['hint', '1']);
    expect(scopeOf('{ForeignNode[in.1.1.blocks.0.k.weight.../in.1/Reshape]}')?.[0]).toBe('in');
  });
  it('knows when there is none', () => {
    for (const name of ['MaxPool_12', 'QuantizeLinear_2', '', 'onnx::Mul_4109', '/Add', 'a + b']) {
      expect(scopeOf(name)).toBeNull();
    }
  });
});

const layer = (name: string, isReformat = false): ScopedLayer => ({
  name,
  sources: [],
  isReformat,
});

describe('findBlocks', () => {
  it('brackets blocks between a stem and a head', () => {
    const layers = [
      layer('QuantizeLinear_2', true),
      layer('conv1.weight + Conv_9'),
      layer('MaxPool_12'),
      layer('Reformatting CopyNode for Output Tensor 0 to MaxPool_12', true),
      ...[1, 2, 3].flatMap((i) => [
        layer(`QuantizeLinear_${String(i)}`, true),
        layer(`layer${String(i)}.0.conv1.weight + Conv_1`),
        layer(`layer${String(i)}.0.conv2.weight + Conv_2`),
      ]),
      layer('GlobalAveragePool_246'),
      layer('fc.weight + Gemm_257'),
    ];
    expect(findBlocks(layers)).toEqual([
      { label: 'stem', first: 0, last: 3 },
      { label: 'layer1', first: 4, last: 6 },
      { label: 'layer2', first: 7, last: 9 },
      { label: 'layer3', first: 10, last: 12 },
      { label: 'head', first: 13, last: 14 },
    ]);
  });
  it('goes deeper where one scope holds all', () => {
    const layers = [1, 2, 3, 4].flatMap((i) => [
      layer(`/model/block${String(i)}/conv1/Conv`),
      layer(`/model/block${String(i)}/conv2/Conv`),
    ]);
    expect(findBlocks(layers).map((b) => b.label)).toEqual(
      [1, 2, 3, 4].map((i) => `block${String(i)}`),
    );
  });
  it('says nothing where names do not', () => {
    expect(findBlocks([])).toEqual([]);
    expect(findBlocks(Array.from({ length: 30 }, (_, i) => layer(`Conv_${String(i)}`)))).toEqual(
      [],
    );
    const each = Array.from({ length: 30 }, (_, i) => layer(`block${String(i)}.conv.weight`));
    expect(findBlocks(each)).toEqual([]);
  });
});
