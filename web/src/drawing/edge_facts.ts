// What flows along an edge, and the words beside it.

import {
  bytesText,
  dimsText,
  visible,
  type EdgeKind,
  type Engine,
  type GraphView,
} from '../public/index.ts';
import { kNone, type BoxEdge } from './collapse.ts';

export interface EdgeFacts {
  readonly kind: EdgeKind;
  readonly dims: string;
  readonly dtype: string | null;
  readonly layout: string;
  readonly bytes: number | null;
  readonly width: number;
}

const kThin = 1.4;
const kThinUpTo = 4e6;
const kPerDoubling = 0.75;
const kMaxWidth = 8;

// 1.4 px up to 4 MB, and 0.75 for each doubling.
export function edgeWidth(bytes: number | null): number {
  if (bytes === null || !(bytes > kThinUpTo)) return kThin;
  return Math.min(kMaxWidth, kThin + kPerDoubling * Math.log2(bytes / kThinUpTo));
}

const kLongestText = 60;

export function edgeFacts(engine: Engine, view: GraphView, edge: number): EdgeFacts {
  const { ports } = engine;
  const toPort = view.edges.toPort[edge] ?? kNone;
  const port = toPort === kNone ? (view.edges.fromPort[edge] ?? kNone) : toPort;
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

// What flows, for telling edges between the same two boxes apart.
export function tensorOf(engine: Engine, view: GraphView, edge: number): string | number | null {
  const { ports } = engine;
  const toPort = view.edges.toPort[edge] ?? kNone;
  const port = toPort === kNone ? (view.edges.fromPort[edge] ?? kNone) : toPort;
  if (port === kNone) return null;
  return ports.number('tensor_id', port) ?? ports.text('tensor', port);
}

// One stretch of words in one weight.
export interface LabelPart {
  readonly text: string;
  readonly weight: 400 | 600;
  readonly ink: 'ink' | 'ink2' | 'ink3';
}
export type LabelLine = readonly LabelPart[];

const kKindWords: Readonly<Partial<Record<EdgeKind, string>>> = {
  carried: 'next instance',
  reuse: 'memory used again',
  event: 'waits for',
  control: 'control',
  order: 'order',
  contracted: 'through hidden boxes',
};

export interface LabelRequest {
  readonly facts: EdgeFacts;
  readonly edge: BoxEdge;
  // Several lines in little width: for edges that do not lead to the next box.
  readonly isCompact: boolean;
  readonly isResidual: boolean;
  // There is little room at all: two lines beside the trunk, short ones elsewhere.
  readonly isNarrow?: boolean;
}

export function labelLines({
  facts,
  edge,
  isCompact,
  isResidual,
  isNarrow = false,
}: LabelRequest): readonly LabelLine[] {
  const { dims, layout, bytes } = facts;
  const word = kKindWords[facts.kind];
  const lines: LabelPart[][] = [];
  if (word !== undefined) lines.push([{ text: word, weight: 600, ink: 'ink2' }]);
  if (facts.dtype === null && dims === '') return lines;
  const dtype = facts.dtype ?? '';
  const size = bytes === null ? '' : bytesText(bytes);
  const rest = [layout, size].filter((part) => part !== '').join(' · ');
  const merged = edge.count > 1 ? ` ×${String(edge.count)}` : '';
  if (isCompact) {
    const name = isResidual ? `residual ${dtype}`.trim() : dtype;
    if (name !== '') lines.push([{ text: name + merged, weight: 600, ink: 'ink' }]);
    if (dims !== '') lines.push([{ text: dims, weight: 400, ink: 'ink2' }]);
    for (const text of isNarrow ? [layout, size] : [rest]) {
      if (text !== '') lines.push([{ text, weight: 400, ink: 'ink3' }]);
    }
    return lines;
  }
  const isFloat = dtype !== 'INT8';
  const line: LabelPart[] = [
    { text: `${dims} `, weight: 400, ink: 'ink2' },
    { text: `${dtype}${merged} `, weight: isFloat ? 600 : 400, ink: 'ink' },
    { text: isNarrow ? '' : rest, weight: 400, ink: 'ink3' },
  ];
  if (isNarrow && rest !== '') {
    const below: LabelLine = [{ text: rest, weight: 400, ink: 'ink3' }];
    return [...lines, line.filter((part) => part.text.trim() !== ''), below];
  }
  return [...lines, line.filter((part) => part.text.trim() !== '')];
}
