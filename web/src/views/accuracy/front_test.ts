import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../public/index.ts';
import { Palette } from '../../public/page/palette.ts';
import { storeOf } from '../../public/test_engine.ts';
import { dataOf, shownMaps, choose } from './data.ts';
import { costOf, intervalText, knownCosts, placedPoints, pointLines } from './front.ts';
import { cellAt, cellValue, layOutMaps } from './maps_layout.ts';

const point = (
  at: number,
  layers: number,
  db: number | null,
  more: JsonObject = {},
): JsonObject => ({
  point: at,
  float_layers: layers,
  kept: Array.from({ length: layers }, (_, i) => `conv${String(i)}`),
  macs_ratio: layers / 20,
  weight_bytes: 1000 * layers,
  judged_sqnr_db: db,
  is_chosen: 0,
  ...more,
});
const map = (tensor: string, shown: string, more: JsonObject = {}): JsonObject => ({
  tensor,
  shown,
  channels: 8,
  tensor_height: 4,
  tensor_width: 8,
  height: 2,
  width: 4,
  step: 0.5,
  cells: [0, 1, 2, 3, 4, 5, 6, 255],
  ...more,
});

function accuracyData(more: JsonObject) {
  const store = storeOf('', {
    summary: { engine: { name: 'e' } },
    explain: { accuracy: { schema: 'planex.report-accuracy/1', ...more } },
  });
  const data = dataOf(store.engine);
  if (data === null) throw new Error('no accuracy');
  return { store, data };
}
const accuracyOf = (more: JsonObject) => accuracyData(more).data.accuracy;

describe('the front of a search', () => {
  const front = [point(0, 0, 12), point(1, 1, 19), point(2, 3, 22), point(3, 5, null)];

  it('is drawn by what the search counted until another cost is asked for', () => {
    const accuracy = accuracyOf({ cost: 'macs', front });
    expect(knownCosts(accuracy)).toEqual(['layers', 'macs', 'bytes']);
    expect(costOf(accuracy, null)).toBe('macs');
    expect(costOf(accuracy, 'bytes')).toBe('bytes');
    expect([costOf(accuracy, 'ms'), costOf(accuracy, '__proto__')]).toEqual(['macs', 'macs']);
  });

  it('is drawn by time where that was measured', () => {
    const timed = front.map((one, at) => ({ ...one, median_ms: 2 - at / 10 }));
    const accuracy = accuracyOf({ cost: 'layers', front: timed });
    expect(costOf(accuracy, null)).toBe('median');
    // Here, more layers in float are faster: all but the last are beaten.
    expect(placedPoints(accuracy, 'median').map(({ isBeaten }) => isBeaten)).toEqual([
      false,
      true,
      true,
    ]);
    expect(placedPoints(accuracy, 'layers').some(({ isBeaten }) => isBeaten)).toBe(false);
  });

  it('leaves out what has no figure', () => {
    const accuracy = accuracyOf({ cost: 'layers', front });
    expect(placedPoints(accuracy, 'layers').map(({ cost, db }) => [cost, db])).toEqual([
      [0, 12],
      [1, 19],
      [3, 22],
    ]);
    expect(placedPoints(accuracy, 'ms')).toEqual([]);
  });

  it('names the layers of a point, a few of many', () => {
    const [, , third] = accuracyOf({ front }).front;
    const [, , , many] = accuracyOf({ front }).front;
    if (third === undefined || many === undefined) throw new Error('no points');
    expect(pointLines(third)).toEqual([
      '3 layers in float · 22.0 dB',
      '15.0 % of MACs · 3.00 kB of weights',
      'conv0',
      'conv1',
      'conv2',
    ]);
    expect(pointLines(many).slice(-1)).toEqual(['and 3 more layers']);
    expect(pointLines({ ...many, median_ms: 1, median_low_ms: 0.5, median_high_ms: 2 })).toContain(
      '1.000 ms (95 %: 0.500 to 2.000)',
    );
    expect(intervalText(third)).toBeNull();
  });
});

describe('colours of fields', () => {
  const palette = new Palette('light');
  const rgb = (hex: string): string =>
    `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

  it('are those of heat at its six steps, and between them between', () => {
    expect([0, 1, 2, 3, 4, 5].map((step) => palette.heatAt(step / 5))).toEqual(
      [0, 1, 2, 3, 4, 5].map((step) => rgb(palette.heat(step))),
    );
    expect([palette.heatAt(-1), palette.heatAt(2)]).toEqual([
      rgb(palette.heat(0)),
      rgb(palette.heat(5)),
    ]);
    expect(palette.heatAt(0.05)).not.toBe(palette.heatAt(0.06));
  });
});

describe('difference maps', () => {
  const maps = [
    map('t', 'float'),
    map('t', 'simulated', { step: 0.25 }),
    map('u', 'float'),
    map('u', 'engine', { cells: [1, 2] }),
    map('v', 'simulated'),
  ];

  it('are those of a tensor together; cells that do not fit are left out', () => {
    const { store, data } = accuracyData({ maps });
    expect(data.maps.map(({ tensor }) => tensor)).toEqual(['t', 'u']);
    expect(data.maps[0]?.simulated?.step).toBe(0.25);
    expect(data.maps[1]?.engine).toBeNull();
    expect(shownMaps(store, data)?.tensor).toBe('t');
  });

  it('are shown of the chosen tensor', () => {
    const { store, data } = accuracyData({ maps, tensors: [{ tensor: 'u' }, { tensor: 'w' }] });
    const [u, w] = data.items;
    if (u === undefined || w === undefined) throw new Error('no items');
    choose(store, u);
    expect(shownMaps(store, data)?.tensor).toBe('u');
    choose(store, w);
    expect(shownMaps(store, data)).toBeNull();
  });

  it('have a cell under the pointer, and its value', () => {
    const [first] = accuracyData({ maps }).data.maps;
    if (first === undefined) throw new Error('no maps');
    const layout = layOutMaps(first, 340);
    expect([layout.rows, layout.columns, layout.fields.length]).toEqual([2, 4, 2]);
    const [field, other] = layout.fields;
    if (field === undefined || other === undefined) throw new Error('no fields');
    expect(cellAt(layout, field.x + 1, field.y + 1)).toBe(0);
    expect(cellAt(layout, other.x + other.width - 1, other.y + other.height - 1)).toBe(7);
    expect(cellAt(layout, field.x + 1, field.y - 3)).toBeNull();
    expect(cellValue(first.float, 7)).toBe(127.5);
    expect(cellValue(first.float, 8)).toBeNaN();
    // Both differences are on one scale.
    expect(other.most).toBe(0.25 * 255);
  });
});
