// What flows along an edge, and its label.

import {
  bytesText,
  dimsText,
  kNone,
  visible,
  type EdgeKind,
  type Engine,
  type GraphView,
} from '../public/index.ts';
import { portOf } from './collapse.ts';

export interface EdgeFacts {
  readonly kind: EdgeKind;
  readonly dims: string;
  readonly dtype: string | null;
  readonly layout: string;
  readonly bytes: number | null;
  readonly width: number;
}

const kThin = 1.4;
export const kThinUpTo = 4e6;
const kPerDoubling = 0.75;
const kMaxWidth = 9;

// 1.4 px up to 4 MB, and 0.75 more for each doubling. Same rule as src/render/drawing/edges.h;
// tests/data/number_cases.json checks both.
export function edgeWidth(bytes: number | null): number {
  if (bytes === null || !(bytes > kThinUpTo)) return kThin;
  return Math.min(kMaxWidth, kThin + kPerDoubling * Math.log2(bytes / kThinUpTo));
}

const kLongestText = 60;

export function edgeFacts(engine: Engine, view: GraphView, edge: number): EdgeFacts {
  const { ports } = engine;
  const port = portOf(view, edge);
  const bytes = port === kNone ? null : ports.number('bytes', port);
  const dims = port === kNone ? null : ports.list('dims', port);
  const text = (column: string): string | null => {
    const value = port === kNone ? null : ports.text(column, port);
    return value === null ? null : visible(value.slice(0, kLongestText));
  };
  return {
    kind: view.edges.kind[edge] ?? 'other',
    dims: dims === null ? '' : dimsText(dims).slice(0, kLongestText),
    dtype: text('dtype'),
    layout: text('layout') ?? '',
    bytes,
    width: edgeWidth(bytes),
  };
}

// A run of text in one weight.
export interface LabelPart {
  readonly text: string;
  readonly weight: 400 | 600;
  readonly ink: 'ink' | 'ink2' | 'ink3';
}
export type LabelLine = readonly LabelPart[];

const kKindWords: Readonly<Partial<Record<EdgeKind, string>>> = {
  carried: 'next instance',
  reuse: 'memory reused',
  event: 'waits for',
  control: 'control',
  order: 'order',
  contracted: 'through hidden boxes',
};

export interface LabelRequest {
  readonly facts: EdgeFacts;
  // How many edges it represents.
  readonly count: number;
  // Several narrow lines: for edges that do not lead to the next box.
  readonly isCompact: boolean;
  readonly isResidual: boolean;
}

// `isNarrow`: little room overall: two lines next to the trunk, short ones elsewhere.
export function labelLines(request: LabelRequest, isNarrow = false): readonly LabelLine[] {
  const { facts, count, isCompact, isResidual } = request;
  const { dims, layout, bytes } = facts;
  const part = (text: string, ink: LabelPart['ink'], weight: LabelPart['weight'] = 400) => ({
    text,
    weight,
    ink,
  });
  const lines: LabelLine[] = [[part(kKindWords[facts.kind] ?? '', 'ink2', 600)]];
  const dtype = facts.dtype ?? '';
  const size = bytes === null ? '' : bytesText(bytes);
  const rest = [layout, size].filter((text) => text !== '').join(' · ');
  const merged = count > 1 ? ` ×${String(count)}` : '';
  if (facts.dtype === null && dims === '') {
    // Nothing is known about what flows.
  } else if (isCompact) {
    const name = isResidual ? `residual ${dtype}`.trim() : dtype;
    lines.push([part(name === '' ? '' : name + merged, 'ink', 600)], [part(dims, 'ink2')]);
    for (const text of isNarrow ? [layout, size] : [rest]) lines.push([part(text, 'ink3')]);
  } else {
    const weight = dtype === 'INT8' ? 400 : 600;
    const words = [part(`${dims} `, 'ink2'), part(`${dtype}${merged} `, 'ink', weight)];
    if (isNarrow) lines.push(words, [part(rest, 'ink3')]);
    else lines.push([...words, part(rest, 'ink3')]);
  }
  return lines
    .map((line) => line.filter(({ text }) => text.trim() !== ''))
    .filter((line) => line.length > 0);
}
