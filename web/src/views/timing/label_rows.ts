// Labels above a chart: each in the lowest row in which it touches no earlier one.

export interface Span {
  readonly from: number;
  readonly to: number;
}

export function rowsOf(spans: readonly Span[]): readonly number[] {
  const rows: Span[][] = [];
  return spans.map((span) => {
    const free = rows.findIndex((row) =>
      row.every((other) => span.to <= other.from || other.to <= span.from),
    );
    const row = free < 0 ? rows.length : free;
    rows[row] = [...(rows[row] ?? []), span];
    return row;
  });
}
