import { describe, expect, expectTypeOf, it } from 'vitest';

import * as r from './reader.ts';

interface Wheel {
  readonly size_mm: number;
}
interface Cart {
  readonly name: string;
  readonly load: number | null;
  readonly side: 'left' | 'unknown';
  readonly wheels: readonly Wheel[];
  readonly weights: readonly number[];
  readonly spare?: Wheel;
}
const readWheel = r.objectOf({ size_mm: r.real });
const readCart = r.objectOf({
  name: r.text,
  load: r.orNull(r.integer),
  side: r.oneOf('left', 'unknown'),
  wheels: r.listOf(readWheel),
  weights: r.listOf(r.integer),
  spare: r.optional(readWheel),
});

describe('a reader', () => {
  it('takes what is described, and leaves out what is not', () => {
    const cart = {
      name: 'a',
      load: 3,
      side: 'left',
      wheels: [{ size_mm: 1.5 }],
      weights: [1],
      spare: { size_mm: 2 },
    };
    expect(r.readAs(readCart, { ...cart, of_the_future: 1 })).toEqual(cart);
  });

  it('reads what is missing or of another kind as null, else as nothing', () => {
    const none = { name: '', load: null, side: 'unknown', wheels: [], weights: [] };
    for (const json of [null, undefined, 7, [], {}, { name: 1, load: 'x', side: 'up', wheels: {} }])
      expect(r.readAs(readCart, json)).toEqual(none);
  });

  it('has the type of what is read', () => {
    expectTypeOf<r.ReadType<typeof readCart>>().toEqualTypeOf<Cart>();
  });

  it('keeps the places of numbers, as lists may be columns, and no odd objects', () => {
    const cart = r.readAs(readCart, { weights: [1, 'x', 3], wheels: [7, { size_mm: 'x' }] });
    expect(cart.weights).toEqual([1, 0, 3]);
    expect(cart.wheels).toEqual([{ size_mm: Number.NaN }]);
  });
});
