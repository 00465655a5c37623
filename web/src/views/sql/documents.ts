// A result as files, in the program's format, and as text for a spreadsheet.

import {
  csvField,
  exactText,
  shortestText,
  type QueryCell,
  type QueryRows,
} from '../../public/index.ts';

const kLineEnd = '\r\n';

// A text that a spreadsheet would run as a formula is marked as text, even if it looks like a
// number.
function field(cell: QueryCell | undefined): string {
  if (typeof cell !== 'string') {
    const text = exactText(cell);
    return text.includes(',') ? `"${text}"` : text;
  }
  if (cell === '') return '""';
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// planex query --format csv
export function csvDocument({ columns, rows }: QueryRows): string {
  const lines = [columns.map(({ name }) => field(name)), ...rows.map((row) => row.map(field))];
  return lines.map((cells) => cells.join(',') + kLineEnd).join('');
}

function jsonValue(cell: QueryCell): string {
  if (typeof cell === 'bigint') return String(cell);
  // JSON.stringify would turn -0 into 0.
  if (typeof cell === 'number' && Number.isFinite(cell)) return shortestText(cell);
  return JSON.stringify(cell);
}

// planex query --format json: planex.query/1
export function jsonDocument({ columns, rows }: QueryRows): string {
  const heads = columns.map(({ name, type, unit }, i) => ({
    name,
    type: rows.every((row) => row[i] === null) ? null : type,
    unit,
  }));
  const lines = rows.map((row) => `[${row.map(jsonValue).join(',')}]`);
  return `{"schema":"planex.query/1","columns":${JSON.stringify(heads)},"rows":[${lines.join(',')}]}\n`;
}

// Cells separated by tabs; tabs inside cells become spaces.
export function tabbed(cells: readonly (readonly (QueryCell | undefined)[])[]): string {
  const text = (cell: QueryCell | undefined): string => {
    const exact = exactText(cell).replace(/[\t\r\n]+/g, ' ');
    return typeof cell === 'string' ? csvField(exact) : exact;
  };
  return cells.map((row) => row.map(text).join('\t')).join('\n');
}
