// What `planex export` writes, its options, and the command that writes it.

import type { Engine } from './engine.ts';
import { enginePath, shellWord } from './layers_command.ts';

// Options with their words: the first is the default.
export const kExportOptions = {
  basis: ['Layer times', 'best', 'median', 'mean'],
  nodes: ['Nodes', 'best', 'layers', 'operations'],
  value: ['Value', 'time', 'layer-time', 'share', 'precision'],
} as const;
export type ExportOption = keyof typeof kExportOptions;

export interface ExportFormat {
  readonly id: string;
  readonly what: string;
  // The extension of file names, by which the program chooses the format.
  readonly ending: string;
  readonly options?: readonly ExportOption[];
  // It writes one of the tables.
  readonly isTable?: boolean;
  readonly takesSeveral?: boolean;
  // It needs a library that the page does not have.
  readonly needsProgram?: boolean;
}

const kTable = { what: 'one table', isTable: true, takesSeveral: true };
export const kExportFormats: readonly [ExportFormat, ...ExportFormat[]] = [
  { id: 'csv', ending: '.csv', ...kTable },
  { id: 'jsonl', ending: '.jsonl', ...kTable },
  { id: 'plan', ending: '.plan.json', what: 'everything planex knows; planex can read it back' },
  {
    id: 'trace',
    ending: '.trace.json',
    what: 'layers over time, for Perfetto',
    options: ['basis'],
    takesSeveral: true,
  },
  { id: 'onnx', ending: '.onnx', what: 'graph, for Netron', options: ['basis', 'nodes'] },
  {
    id: 'node-data',
    ending: '.node-data.json',
    what: 'node values, for Model Explorer',
    options: ['basis', 'nodes', 'value'],
  },
  { id: 'xlsx', ending: '.xlsx', what: 'workbook', takesSeveral: true, needsProgram: true },
  { id: 'parquet', ending: '.parquet', ...kTable, needsProgram: true },
  { id: 'arrow', ending: '.arrow', ...kTable, needsProgram: true },
];

export interface WantedExport {
  readonly format: ExportFormat;
  readonly table: string;
  // Of options of this format and of others.
  readonly words: ReadonlyMap<ExportOption, string>;
}

export type NamedOption = readonly [name: string, value: string];

// The chosen options that this format has.
export function exportOptions({ format, table, words }: WantedExport): readonly NamedOption[] {
  const chosen = (format.options ?? []).flatMap((name): readonly NamedOption[] => {
    const word = words.get(name);
    return word === undefined ? [] : [[name, word]];
  });
  return format.isTable === true ? [['table', table], ...chosen] : chosen;
}

// The engine's title, or "engines" for several.
export function exportFile({ format, table }: WantedExport, title: string): string {
  const part = format.isTable === true ? `.${table}` : '';
  return `${title.replaceAll('/', '-')}${part}${format.ending}`;
}

export function exportCommand(
  wanted: WantedExport,
  engines: readonly Engine[],
  file: string,
): string {
  const flags = exportOptions(wanted).flatMap(([name, word]) => [`--${name}`, word]);
  const words = ['planex', 'export', ...engines.map(enginePath), ...flags, '-o', file];
  return words.map(shellWord).join(' ');
}
