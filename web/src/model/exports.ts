// What `planex export` writes, what can be chosen of it, and the command that writes it.

import type { Engine } from './engine.ts';
import { enginePath, shellWord } from './layers_command.ts';

// Options with their words: the first is what is taken where none is named.
export const kExportOptions = {
  basis: ['Layer times', 'best', 'median', 'mean'],
  nodes: ['Nodes', 'best', 'layers', 'operations'],
  value: ['Value', 'time', 'layer-time', 'share', 'precision'],
} as const;
export type ExportOption = keyof typeof kExportOptions;

export interface ExportFormat {
  readonly id: string;
  readonly what: string;
  // Of file names, by which the program knows what to write.
  readonly ending: string;
  readonly options?: readonly ExportOption[];
  // It writes one of the tables.
  readonly isTable?: boolean;
  readonly takesSeveral?: boolean;
  // It takes a library that a page has not.
  readonly needsProgram?: boolean;
}

const kTable = { what: 'one table', isTable: true, takesSeveral: true };
export const kExportFormats: readonly [ExportFormat, ...ExportFormat[]] = [
  { id: 'csv', ending: '.csv', ...kTable },
  { id: 'jsonl', ending: '.jsonl', ...kTable },
  { id: 'plan', ending: '.plan.json', what: 'all that planex knows; it reads it back' },
  {
    id: 'trace',
    ending: '.trace.json',
    what: 'layers in time, for Perfetto',
    options: ['basis'],
    takesSeveral: true,
  },
  { id: 'onnx', ending: '.onnx', what: 'graph, for Netron', options: ['basis', 'nodes'] },
  {
    id: 'node-data',
    ending: '.node-data.json',
    what: 'values of nodes, for Model Explorer',
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

// Those of the format that were chosen.
export function exportOptions({ format, table, words }: WantedExport): readonly NamedOption[] {
  const chosen = (format.options ?? []).flatMap((name): readonly NamedOption[] => {
    const word = words.get(name);
    return word === undefined ? [] : [[name, word]];
  });
  return format.isTable === true ? [['table', table], ...chosen] : chosen;
}

// Of one engine the title, of several "engines".
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
