// The command line that lists the layers on screen: chips as an SQL condition.

import type { Basis, Engine } from './engine.ts';
import { filterField, type Chip, type Operator } from './filter.ts';

// For a POSIX shell.
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

function sqlText(text: string): string {
  return `'${text.replace(/'/g, "''")}'`;
}

function sqlNumber(text: string): string {
  const number = Number(text);
  return Number.isFinite(number) ? String(number) : 'null';
}

const sqlOperator = (op: Operator): string => (op === ':' || op === '~' ? '=' : op);

function textCondition(chip: Chip, column: string): string {
  const [first = ''] = chip.values;
  if (chip.op === '~') {
    const regex = /^\/(.*)\/[a-z]*$/s.exec(first);
    if (regex !== null) return `coalesce(${column}, '') regexp ${sqlText(regex[1] ?? '')}`;
    const pattern = first.replace(/[\\%_]/g, '\\$&');
    return `coalesce(${column}, '') like ${sqlText(`%${pattern}%`)} escape '\\'`;
  }
  const known = chip.values.filter((value) => value !== '–');
  const parts = [];
  if (known.length > 0)
    parts.push(`lower(${column}) in (${known.map((v) => sqlText(v.toLowerCase())).join(', ')})`);
  if (known.length < chip.values.length) parts.push(`${column} is null`);
  return parts.join(' or ');
}

function layerCondition(chip: Chip): string {
  if (chip.op !== ':' && chip.op !== '=') {
    return `layer_id ${sqlOperator(chip.op)} ${sqlNumber(chip.values[0] ?? '')}`;
  }
  return chip.values
    .map((value) => {
      const [from = '', to] = value.split('-');
      return to === undefined
        ? `layer_id = ${sqlNumber(from)}`
        : `layer_id between ${sqlNumber(from)} and ${sqlNumber(to)}`;
    })
    .join(' or ');
}

function condition(chip: Chip, engine: Engine, basis: Basis): string | null {
  const field = filterField(chip.field);
  if (field === undefined) return null;
  if (field.kind === 'layer') return layerCondition(chip);
  if (field.kind === 'finding') {
    const rules = chip.values.map(sqlText).join(', ');
    const of = chip.values.includes('any') ? '' : ` and rule in (${rules})`;
    return `layer_id in (select layer_id from findings where layer_id is not null${of})`;
  }
  if (field.kind === 'text') {
    if (field.name === 'role' && chip.values.includes('any')) return null;
    return textCondition(chip, field.column ?? field.name);
  }
  const bound = sqlNumber(chip.values[0] ?? '');
  const operator = sqlOperator(chip.op);
  if (field.name === 'share') return `100.0 * share ${operator} ${bound}`;
  return `${field.column ?? `${engine.basisOr(basis)}_ms`} ${operator} ${bound}`;
}

// SQL over the columns of `layers`; null if nothing is filtered.
export function sqlFilter(chips: readonly Chip[], engine: Engine, basis: Basis): string | null {
  const parts = chips.flatMap((chip) => {
    const sql = condition(chip, engine, basis);
    if (sql === null) return [];
    // Unknown values satisfy no condition, so they satisfy its negation.
    return [chip.negated ? `not coalesce(${sql}, false)` : `(${sql})`];
  });
  return parts.length === 0 ? null : parts.join(' and ');
}

// The PLAN argument for this engine, as far as the data show: the folder of its files if there are
// several, else the file. A path on the machine that wrote the report.
export function enginePath(engine: Engine): string {
  if (engine.path !== null) return engine.path;
  const { files } = engine;
  const paths = Array.from({ length: files.rowCount }, (_, i) => files.text('file', i) ?? '');
  const [first = ''] = paths;
  if (first === '') return 'PLAN';
  if (paths.length === 1) return first;
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  return folder !== '' && paths.every((path) => path.startsWith(folder)) ? folder : first;
}

export function layersCommand(chips: readonly Chip[], engine: Engine, basis: Basis): string {
  const words = ['planex', 'layers', enginePath(engine)];
  const sql = sqlFilter(chips, engine, basis);
  if (sql !== null) words.push('--filter', sql);
  if (chips.some((chip) => chip.field === 'role')) words.push('--all-records');
  return words.map(shellWord).join(' ');
}
