import { describe, expect, it } from 'vitest';

import { packed } from './api.ts';

describe('packed', () => {
  it('writes lengths, name and content of each file', async () => {
    const body = packed([
      { name: 'ü/a', content: new Blob(['xyz']) },
      { name: 'b', content: new Blob([]) },
    ]);
    const bytes = [...new Uint8Array(await body.arrayBuffer())];
    expect(bytes).toEqual([
      ...[4, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0],
      ...new TextEncoder().encode('ü/axyz'),
      ...[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      ...new TextEncoder().encode('b'),
    ]);
  });
});
