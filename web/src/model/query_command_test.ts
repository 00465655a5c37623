import { expect, test } from 'vitest';

import { engineOf } from '../public/test_engine.ts';
import { queryCommand } from './query_command.ts';

test('names every engine, and the statement as one word', () => {
  const engine = engineOf([]);
  expect(queryCommand("select 'a'\nfrom layers", [engine, engine])).toMatch(
    /^planex query \S+ \S+ 'select '\\''a'\\''\nfrom layers'$/,
  );
});
