// The view's answer: how much changes its type, what that costs, and what of it could go.

import {
  fixed,
  integer,
  percent,
  plural,
  totalsOf,
  visible,
  type PrecisionChanges,
  type Reformats,
  type Store,
  type Conclusion,
} from '../../public/index.ts';
import { inOrder } from './order.ts';

function cost(ms: number | null, share: number | null): string {
  return ms === null ? '' : `: ${fixed(ms, 3)} ms, ${percent(share)} % of Σ layers`;
}

export function precisionConclusion(
  store: Store,
  changes: PrecisionChanges | null,
  reformats: Reformats | null,
): Conclusion | null {
  if (changes === null) return null;
  const { engine, basis } = store;
  const cells = changes.cells(engine.workRows, basis, true);
  const known = cells.filter((cell) => cell.from !== null && cell.to !== null);
  if (known.length === 0) return null;
  const changing = [...engine.workRows].filter((row) => {
    const from = changes.readType(row);
    const to = changes.writtenType(row);
    return from !== null && to !== null && from !== to;
  });
  const sums =
    changes.basis === null || changes.basis === basis
      ? changes.changing
      : totalsOf(engine, changing, basis);
  const all = engine.workRows.length;
  const sentences: string[] = [];
  const conversions = reformats?.totals;
  if (reformats !== null && conversions !== undefined && conversions.all.count > 0) {
    const rows = (keep: (verdict: string, by: string | null) => boolean) =>
      totalsOf(
        engine,
        reformats.rows.filter((item) => keep(item.verdict, item.changedBy)).map((item) => item.row),
        basis,
      );
    const every = rows(() => true);
    const verb = every.count === 1 ? 'only converts' : 'only convert';
    sentences.push(`${plural(every.count, 'layer')} ${verb}${cost(every.time_ms, every.share)}.`);
    const byModel = rows((verdict, by) => verdict === 'avoidable' && by === 'model');
    const byCaller = rows((verdict, by) => verdict === 'avoidable' && by === 'caller');
    const gain = (count: number, ms: number | null, who: string): string | null =>
      count === 0
        ? null
        : `${integer(count)} in ${who}${ms === null ? '' : ` (${fixed(ms, 3)} ms)`}`;
    const gains = [
      gain(byModel.count, byModel.time_ms, 'the model'),
      gain(byCaller.count, byCaller.time_ms, 'what the caller binds'),
    ].filter((part) => part !== null);
    if (gains.length > 0) sentences.push(`Avoidable: ${gains.join(', ')}.`);
  }
  const [island] = changes.islands;
  if (island?.ends === 'between') {
    const sum = totalsOf(
      engine,
      island.layers.map((layer) => layer.row),
      basis,
    );
    sentences.push(
      `The largest island of ${visible(island.type ?? 'float')} joins ${plural(sum.count, 'layer')}${cost(sum.time_ms, sum.share).replace(' layers', '')}.`,
    );
  }
  if (sums.count === 0) {
    const types = inOrder(known.map((cell) => cell.from)).map((type) => visible(type ?? ''));
    const unknown = cells.length - known.length;
    const said = unknown > 0 ? 'No layer whose types are known changes' : 'No layer changes';
    return {
      headline: `${said} the type it reads (${types.join(', ')}).`,
      text: sentences.join(' '),
    };
  }
  const verb =
    sums.count === 1
      ? 'writes a different type than it reads'
      : 'write a different type than they read';
  return {
    headline: `${integer(sums.count)} of ${plural(all, 'layer')} ${verb}${cost(sums.time_ms, sums.share)}.`,
    text: sentences.join(' '),
  };
}
