import { describe, expect, it } from 'vitest';

import { exportFile, exportOptions, kExportFormats, type ExportOption } from './exports.ts';

const formatOf = (id: string) => {
  const format = kExportFormats.find((one) => one.id === id);
  if (format === undefined) throw new Error(`no ${id}`);
  return format;
};

describe('exports', () => {
  it('take the options of their format alone', () => {
    const words = new Map<ExportOption, string>([
      ['basis', 'mean'],
      ['value', 'share'],
    ]);
    const of = (id: string) => exportOptions({ format: formatOf(id), table: 'ports', words });
    expect(of('trace')).toEqual([['basis', 'mean']]);
    expect(of('node-data')).toEqual([
      ['basis', 'mean'],
      ['value', 'share'],
    ]);
    expect(of('csv')).toEqual([['table', 'ports']]);
    expect(of('plan')).toEqual([]);
  });

  it('go to files whose ending says what they are', () => {
    const words = new Map<ExportOption, string>();
    const of = (id: string) => exportFile({ format: formatOf(id), table: 'ports', words }, 'a/b');
    expect(of('jsonl')).toBe('a-b.ports.jsonl');
    expect(of('node-data')).toBe('a-b.node-data.json');
    const endings = kExportFormats.map(({ ending }) => ending);
    expect(new Set(endings).size).toBe(endings.length);
  });
});
