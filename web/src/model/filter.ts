// Filter chips: the reader's text, the link's form, and the rows that pass. A chip is "field op
// value"; chips combine by and, values in a chip (separated by |) by or.

import type { Basis, Engine } from './engine.ts';

export type Operator = ':' | '=' | '>' | '<' | '>=' | '<=' | '~';

export interface Chip {
  readonly field: string;
  readonly op: Operator;
  readonly values: readonly string[];
  readonly negated: boolean;
}

export interface FilterField {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'layer' | 'finding';
  readonly help: string;
  // Layers column, for the kinds text and number.
  readonly column?: string;
}

// ms is the time in the basis on screen, so it has no fixed column.
export const kFilterFields: readonly FilterField[] = [
  { name: 'type', kind: 'text', column: 'type', help: 'layer type' },
  { name: 'family', kind: 'text', column: 'family', help: 'family of the type' },
  { name: 'precision', kind: 'text', column: 'precision', help: 'input precision' },
  { name: 'out', kind: 'text', column: 'output_precision', help: 'output precision' },
  { name: 'compute', kind: 'text', column: 'compute_precision', help: "the kernel's own type" },
  { name: 'name', kind: 'text', column: 'name', help: 'layer name' },
  { name: 'tactic', kind: 'text', column: 'tactic', help: 'kernel' },
  { name: 'subtype', kind: 'text', column: 'subtype', help: 'subtype' },
  { name: 'origin', kind: 'text', column: 'origin', help: 'origin of a reformat' },
  { name: 'role', kind: 'text', column: 'role', help: 'work, noop, constant … or any' },
  { name: 'stream', kind: 'text', column: 'stream', help: 'stream' },
  { name: 'block', kind: 'text', column: 'block_id', help: 'block' },
  { name: 'layer', kind: 'layer', help: 'number or range, 10-20' },
  { name: 'finding', kind: 'finding', help: 'rule, or any' },
  { name: 'ms', kind: 'number', help: 'time in ms' },
  { name: 'share', kind: 'number', help: '% of Σ layers' },
  { name: 'bytes', kind: 'number', column: 'footprint_bytes', help: 'bytes moved' },
  { name: 'weights', kind: 'number', column: 'weight_bytes', help: 'bytes of weights' },
  { name: 'flops', kind: 'number', column: 'flops', help: 'operations' },
];

export function filterField(name: string): FilterField | undefined {
  return kFilterFields.find((f) => f.name === name);
}

const kSyntax = /^(?:(not\s+|-))?([a-z_]+)\s*(>=|<=|[:=<>~])\s*(.*)$/is;

function splitValues(text: string): readonly string[] {
  const values: string[] = [];
  const pattern = /"((?:[^"\\]|\\.)*)"|([^|]+)/gs;
  for (const match of text.matchAll(pattern)) {
    const quoted = match[1];
    const value = quoted === undefined ? (match[2] ?? '').trim() : quoted.replace(/\\(.)/gs, '$1');
    if (value !== '') values.push(value);
  }
  return values;
}

export type ParsedChip =
  { readonly chip: Chip; readonly error: null } | { readonly chip: null; readonly error: string };

// Text without an operator is a part of a name: what people type first.
export function parseChip(text: string): ParsedChip {
  const trimmed = text.trim();
  if (trimmed === '') return { chip: null, error: 'the filter is empty' };
  const match = kSyntax.exec(trimmed);
  const field = match === null ? undefined : filterField((match[2] ?? '').toLowerCase());
  if (match === null || (field === undefined && match[3] === ':')) {
    // Layer names contain colons too: an unknown field before a colon is more likely a name.
    return { chip: { field: 'name', op: '~', values: [trimmed], negated: false }, error: null };
  }
  if (field === undefined) {
    const names = kFilterFields.map((f) => f.name).join(', ');
    return { chip: null, error: `unknown field "${match[2] ?? ''}"; fields: ${names}` };
  }
  const op = match[3] as Operator;
  const raw = (match[4] ?? '').trim();
  // A pattern can contain | itself.
  const values = op === '~' ? [raw].filter((v) => v !== '') : splitValues(raw);
  if (values.length === 0) return { chip: null, error: `${field.name}${op} needs a value` };
  if (field.kind === 'number') {
    if (op === ':' || op === '~') return { chip: null, error: `${field.name} needs > or <` };
    if (!Number.isFinite(Number(values[0]))) {
      return { chip: null, error: `"${values[0] ?? ''}" is not a number` };
    }
  } else if (op.startsWith('>') || op.startsWith('<')) {
    if (field.kind !== 'layer') return { chip: null, error: `${field.name} is not a number` };
  }
  const pattern = regexOf(values[0] ?? '');
  if (op === '~' && pattern === 'invalid') return { chip: null, error: 'not a valid pattern' };
  return { chip: { field: field.name, op, values, negated: match[1] !== undefined }, error: null };
}

export function chipText(chip: Chip): string {
  const quote = (value: string): string =>
    chip.op !== '~' && /["|\\]|^\s|\s$/.test(value)
      ? `"${value.replace(/["\\]/g, '\\$&')}"`
      : value;
  return `${chip.negated ? 'not ' : ''}${chip.field}${chip.op}${chip.values.map(quote).join('|')}`;
}

export function sameChip(a: Chip, b: Chip): boolean {
  return chipText(a) === chipText(b);
}

export function equals(field: string, ...values: readonly string[]): Chip {
  return { field, op: ':', values, negated: false };
}

type Predicate = (row: number) => boolean;

function regexOf(text: string): RegExp | null | 'invalid' {
  const match = /^\/(.*)\/([a-z]*)$/s.exec(text);
  if (match === null) return null;
  try {
    return new RegExp(match[1] ?? '', (match[2] ?? '').replace(/[gy]/g, ''));
  } catch {
    return 'invalid';
  }
}

function textPredicate(chip: Chip, engine: Engine, column: string): Predicate {
  const value = (row: number): string | null => engine.layers.text(column, row);
  if (chip.op === '~') {
    const text = chip.values[0] ?? '';
    const regex = regexOf(text);
    if (regex instanceof RegExp) return (row) => regex.test(value(row) ?? '');
    const needle = text.toLowerCase();
    return (row) => (value(row) ?? '').toLowerCase().includes(needle);
  }
  const wanted = new Set(chip.values.map((v) => v.toLowerCase()));
  if (chip.field === 'role' && wanted.has('any')) return () => true;
  // A dash selects the layers whose value is unknown.
  return (row) => wanted.has(value(row)?.toLowerCase() ?? '–');
}

function compare(op: Operator, value: number, bound: number): boolean {
  if (value === bound) return op !== '>' && op !== '<';
  return op.startsWith('>') ? value > bound : op.startsWith('<') && value < bound;
}

function layerPredicate(chip: Chip, engine: Engine): Predicate {
  if (chip.op !== ':' && chip.op !== '=') {
    const bound = Number(chip.values[0]);
    return (row) => compare(chip.op, engine.layerId(row), bound);
  }
  const ranges = chip.values.map((value) => {
    const [from, to] = value.split('-').map(Number);
    return { from: from ?? Number.NaN, to: to ?? from ?? Number.NaN };
  });
  return (row) => {
    const id = engine.layerId(row);
    return ranges.some((r) => id >= r.from && id <= r.to);
  };
}

function predicate(chip: Chip, engine: Engine, basis: Basis): Predicate {
  const field = filterField(chip.field);
  if (field === undefined) return () => true;
  if (field.kind === 'layer') return layerPredicate(chip, engine);
  if (field.kind === 'finding') {
    const any = chip.values.includes('any');
    return (row) => engine.findingsOf(row).some((f) => any || chip.values.includes(f.rule));
  }
  if (field.kind === 'text') return textPredicate(chip, engine, field.column ?? field.name);
  const bound = Number(chip.values[0]);
  if (field.name === 'share') {
    return (row) => compare(chip.op, (engine.share(row, basis) ?? Number.NaN) * 100, bound);
  }
  const numbers =
    field.column === undefined ? engine.times(basis) : engine.layers.numbers(field.column);
  return (row) => compare(chip.op, numbers[row] ?? Number.NaN, bound);
}

export interface Selection {
  // Rows that pass, in execution order.
  readonly rows: Int32Array;
  // By layer row: 1 if it passes.
  readonly mask: Uint8Array;
}

// Layers that do no work are left out unless a chip names roles.
export function select(engine: Engine, chips: readonly Chip[], basis: Basis): Selection {
  const asksRole = chips.some((c) => c.field === 'role');
  const candidates = asksRole
    ? Int32Array.from({ length: engine.layers.rowCount }, (_, i) => i)
    : engine.workRows;
  const tests = chips.map((chip) => ({
    negated: chip.negated,
    test: predicate(chip, engine, basis),
  }));
  const mask = new Uint8Array(engine.layers.rowCount);
  const rows = candidates.filter((row) => tests.every((t) => t.test(row) !== t.negated));
  for (const row of rows) mask[row] = 1;
  return { rows, mask };
}
