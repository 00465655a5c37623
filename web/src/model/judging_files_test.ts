import { describe, expect, it } from 'vitest';

import { kNoFiles } from './judging.ts';
import { judgingFilesAmong } from './judging_files.ts';

const file = (name: string, text: string): { name: string; content: Blob } => ({
  name,
  content: new Blob([text]),
});

describe('judgingFilesAmong', () => {
  it('knows files by the schema they name', async () => {
    const rules = '{"schema": "planex.rules/1", "rules": []}';
    const baseline = '{"$schema": "https://x", "findings": [], "schema": "planex.baseline/2"}';
    const dropped = [
      file('r.json', rules),
      file('b.JSON', baseline),
      file('plan.json', '{"schema": "planex.plan/1"}'),
      file('log.txt', rules),
      // In a folder it belongs to the engine.
      file('run/waivers.json', '{"schema": "planex.waivers/1"}'),
      file('broken.json', '{"a": '),
    ];
    const { files, names, others } = await judgingFilesAmong(dropped, kNoFiles);
    expect(names).toEqual(['r.json', 'b.JSON']);
    expect(files.rules).toEqual({ name: 'r.json', text: rules });
    expect(files.baseline).toEqual({ name: 'b.JSON', text: baseline });
    expect(files.waivers).toBeNull();
    expect(others.map(({ name }) => name)).toEqual([
      'plan.json',
      'log.txt',
      'run/waivers.json',
      'broken.json',
    ]);
  });

  it('leaves the core to say what is wrong with them', async () => {
    const text = '{"schema": "planex.waivers/1", "waivers": [';
    const { files } = await judgingFilesAmong([file('w.json', text)], kNoFiles);
    expect(files.waivers?.text).toBe(text);
  });

  it('keeps those that count until now', async () => {
    const before = { ...kNoFiles, rules: { name: 'r', text: '' } };
    const { files, names } = await judgingFilesAmong([file('x.json', '{}')], before);
    expect(files).toEqual(before);
    expect(names).toEqual([]);
  });
});
