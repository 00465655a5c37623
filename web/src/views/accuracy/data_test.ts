import { describe, expect, it } from 'vitest';

import type { JsonObject, Store } from '../../public/index.ts';
import { storeOf } from '../../public/test_engine.ts';
import { choose, chosenItem, dataOf, dbText, gapOf, shownCalibration } from './data.ts';
import { badges } from './facts.ts';

const loss = (tensor: string, layer: number | null, more: JsonObject = {}): JsonObject => ({
  tensor,
  op_name: `op_${tensor}`,
  layer_id: layer,
  tap: 'verified',
  ...more,
});

const kAccuracy: JsonObject = {
  schema: 'planex.report-accuracy/1',
  end_simulated_db: 21.75,
  end_engine_db: 20.5,
  verified: 2,
  disturbed: 1,
  method: 'mse',
  weight_bits: 7,
  calibration_count: 64,
  sample_count: 1,
  runtime_version: '2026.4.1-22982',
  isa: 'avx2',
  sentences: ['The outputs keep 20.5 dB.'],
  tensors: [
    loss('a', 0, { simulated_db: 44, engine_db: 40 }),
    loss('b', 0, { simulated_db: 43, engine_db: 8.5 }),
    loss('c', null, { simulated_db: null, simulated_is_equal: 1, tap: 'disturbed' }),
  ],
  calibration: [
    { tensor: 'x', sqnr_db: 33, histogram: [3, 1], histogram_max: 2 },
    { tensor: 'b', sqnr_db: 30, histogram: [9, 1], histogram_max: 4, layer_id: 0 },
  ],
  outputs: [],
};

const column = (type: string, values: readonly (number | null)[]): JsonObject => ({
  type,
  unit: '',
  values,
});
const engineJson = (explain: JsonObject): JsonObject => ({
  summary: { engine: { name: 'e' } },
  strings: ['conv', 'head', 'Convolution'],
  tables: {
    layers: {
      row_count: 2,
      columns: {
        layer_id: column('int64', [0, 1]),
        name: column('text', [0, 1]),
        type: column('text', [2, 2]),
        median_ms: column('double', [1, 2]),
      },
    },
  },
  explain,
});
const storeOfEngine = (): Store => storeOf('', engineJson({ accuracy: kAccuracy }));
const { engine } = storeOfEngine();

describe('tensors of an engine', () => {
  const data = dataOf(engine);
  if (data === null) throw new Error('no accuracy');

  it('has inputs first, then what is compared in its order', () => {
    expect(data.items.map(({ tensor }) => tensor)).toEqual(['x', 'a', 'b', 'c']);
    expect(data.compared.map(({ tensor }) => tensor)).toEqual(['a', 'b', 'c']);
    expect(data.items.map(({ row }) => row)).toEqual([null, 0, 0, null]);
    expect(data.items[2]?.calibration?.sqnr_db).toBe(30);
    expect(data.items[1]?.calibration).toBeNull();
  });

  it('tells how far the engine is behind', () => {
    expect(data.items.map(gapOf)).toEqual([Number.NaN, 4, 34.5, Number.NaN]);
  });

  it('shows the tensor that lost most until one is chosen', () => {
    const store = storeOfEngine();
    expect(chosenItem(store, data)).toBeNull();
    expect(shownCalibration(store, data)?.tensor).toBe('b');
  });

  it('chooses by tensor, and by layer the last that it writes', () => {
    const store = storeOfEngine();
    const [x, a] = data.items;
    if (x === undefined || a === undefined) throw new Error('no items');
    choose(store, a);
    expect(store.state.selected).toBe(0);
    expect(chosenItem(store, data)).toBe(a);
    // A layer that writes none of them.
    store.patch({ selected: 1 });
    expect(chosenItem(store, data)).toBeNull();
    choose(store, x);
    expect(store.state.selected).toBeNull();
    expect(chosenItem(store, data)).toBe(x);
    store.patch({ selected: 0 });
    expect(chosenItem(store, data)?.tensor).toBe('b');
  });

  it('is nothing without a record', () => {
    expect(dataOf(storeOf('', engineJson({})).engine)).toBeNull();
  });
});

describe('texts', () => {
  it('writes dB, equality and what is missing', () => {
    expect(dbText(8.25, 0, '–')).toBe('8.3');
    expect(dbText(-1.5, null, '–')).toBe('−1.5');
    expect(dbText(null, 1, '–')).toBe('=');
    expect(dbText(null, 0, '–')).toBe('–');
  });

  it('says on what figures were taken', () => {
    const data = dataOf(engine);
    if (data === null) throw new Error('no accuracy');
    expect(badges(data.accuracy)).toEqual([
      'OpenVINO 2026.4.1',
      'avx2',
      'scales: mse',
      'weights on 7 bits',
      'calibrated on 64 samples',
      'compared on 1 sample',
      '2 taps verified, 1 disturbed',
    ]);
  });
});
