// The columns of the table of engines: their cells and their sort keys.

import { el, span, type Child } from '../base/dom.ts';
import {
  fixed,
  integer,
  inUnit,
  isNumber,
  kMissing,
  percent,
  signed,
  significant,
  timeUnit,
  type Unit,
} from '../base/format.ts';
import { visible } from '../base/text.ts';
import { column, quantity, type Column, type ColumnOptions } from '../public/grid/column.ts';
import { severitySign } from '../public/page/marks.ts';
import { producerName } from '../public/producer.ts';
import { dateText, fullDateText } from './dates.ts';
import { displayName, kNumbers, lastChange, outputsDb, reportAddress, sortKey } from './rows.ts';
import { sparkline } from './sparkline.ts';
import type { ListedEngine } from './wire.ts';

// In px. Names take the remaining width.
const kWidth = 96;
const kSeverities = ['error', 'warning', 'info'] as const;

type Options = ColumnOptions<ListedEngine>;
type Of<Value> = (engine: ListedEngine) => Value;

function unitOf(engines: readonly ListedEngine[], id: 'end' | 'layers_ms'): Unit {
  return timeUnit(Math.max(0, ...engines.map(kNumbers[id]).filter(isNumber)));
}

// A head describes its column, and sorts by it.
function classed(id: string, help: string, options: Options = {}): Options {
  return { id, help, class: `c-${id.replace('_', '-')}`, sortBy: sortKey(id), ...options };
}

function texts(
  id: string,
  head: string,
  help: string,
  value: Of<string | null | undefined>,
  options: Options = {},
): Column<ListedEngine> {
  const text = (engine: ListedEngine): string => visible(value(engine) ?? kMissing);
  return column([head], text, {
    ...classed(id, help, options),
    cellClass: (engine) => (typeof value(engine) === 'string' ? '' : 'dim'),
    title: text,
  });
}

function numbers(
  id: keyof typeof kNumbers,
  head: string,
  help: string,
  text: (value: number) => string,
  options: Options = {},
): Column<ListedEngine> {
  const own = classed(id, help, { width: kWidth, ...options });
  return quantity(id, [head], kNumbers[id], text, own);
}

function nameCell(engine: ListedEngine): readonly Child[] {
  const name = visible(displayName(engine));
  const { headline } = engine;
  const title = typeof headline === 'string' ? `${name}\n${visible(headline)}` : name;
  const attrs = { href: reportAddress([engine.id]), title };
  return [
    ...(engine.state === 'failed'
      ? [severitySign('error', 'It can’t be read'), ` ${name}`]
      : [el('a', { class: 'link', attrs }, name)]),
    engine.is_stale ? span('dim', ' · changed') : null,
  ];
}

function within(place: string, root: string | null): string {
  const folder = `${root ?? ''}/`;
  return root !== null && place.startsWith(folder) && place !== folder
    ? place.slice(folder.length)
    : place;
}

function findingsCell({ findings }: ListedEngine): Child {
  if (findings === undefined) return kMissing;
  const parts = kSeverities
    .filter((severity) => findings[severity] > 0)
    .map((severity) => {
      const sign = severitySign(severity, severity === 'info' ? 'notes' : `${severity}s`);
      return span('finding-count', sign, integer(findings[severity]));
    });
  return parts.length === 0 ? span('dim', 'none') : span('finding-counts', ...parts);
}

function dbTitle({ outputs_engine_db: own, outputs_simulated_db: model }: ListedEngine) {
  if (!isNumber(own)) return isNumber(model) ? 'in the model’s own arithmetic' : null;
  const beside = isNumber(model) ? `; ${fixed(model, 1)} dB in the model’s own arithmetic` : '';
  return `in the engine${beside}`;
}

function trendCell(engine: ListedEngine): Child {
  const { trend } = engine;
  if (trend === null) return kMissing;
  const end = (at: number): string => {
    const point = trend.at(at);
    const date = fullDateText(point?.modified_ms ?? null);
    return `${significant(point?.end_to_end_median_ms)} ms (${date})`;
  };
  const words = `${integer(trend.length)} runs from ${end(0)} to ${end(-1)}`;
  const change = lastChange(engine);
  const title = 'from the previous run; compare the two to see whether it exceeds the noise';
  return el(
    'span',
    { class: 'trend', attrs: { title: words } },
    sparkline(trend, engine.id, words),
    change !== null &&
      el('span', { class: 'dim', attrs: { title } }, `${signed(change * 100, 1)} %`),
  );
}

// Shown in place of figures.
function instead(engine: ListedEngine, open: Set<string>): Child {
  if (engine.state === 'waiting') return span('dim', 'not read yet');
  const [first = 'it can’t be read', ...rest] = (engine.error ?? '').split('\n');
  if (rest.join('').trim() === '') return span('failure', visible(first));
  const { id } = engine;
  const details = el(
    'details',
    {
      class: 'failure',
      attrs: { open: open.has(id) },
      on: { toggle: () => (details.open ? open.add(id) : open.delete(id)) },
    },
    el('summary', {}, visible(first)),
    el('pre', { class: 'code-text' }, rest.map(visible).join('\n').trimEnd()),
  );
  return details;
}

// Columns of figures, or the reason why there are none.
function figures(engines: readonly ListedEngine[]): readonly Column<ListedEngine>[] {
  const [end, sum] = [unitOf(engines, 'end'), unitOf(engines, 'layers_ms')];
  return [
    texts(
      'producer',
      'Made by',
      'The compiler and its version',
      ({ producer, producer_version: version }) =>
        producer && producerName(producer, version ?? null, ''),
      { optional: true },
    ),
    texts('device', 'Device', 'The device it ran on, if recorded', (engine) => engine.device),
    texts(
      'precision',
      'Precision',
      'Precision of most of the layer time',
      (engine) => engine.precision,
      { optional: true, width: kWidth },
    ),
    numbers(
      'end',
      `End to end ${end.unit}`,
      'Median time of an inference',
      (ms) => inUnit(ms, end),
      {
        width: 108,
      },
    ),
    numbers(
      'layers_ms',
      `Σ layers ${sum.unit}`,
      'The sum of the layers’ medians, or of their means where there are no medians',
      (ms) => inUnit(ms, sum),
      {
        optional: true,
        cellClass: ({ basis }) => (basis === 'mean' ? 'soft' : ''),
        title: ({ basis }) => (basis === 'mean' ? 'means: the profile has no medians' : null),
      },
    ),
    numbers('layers', 'Layers', 'Layers that do work', integer, {
      optional: true,
      width: 62,
    }),
    numbers(
      'reached',
      '% of limit',
      'Time at the device’s limits as a share of the measured time, for layers whose work is known',
      percent,
      { optional: true },
    ),
    ...(engines.some((engine) => outputsDb(engine) !== null)
      ? [
          numbers(
            'db',
            'dB',
            'Accuracy of the outputs after quantization: the lowest SQNR against the float model, in the engine; gray: in the model’s own arithmetic',
            (db) => fixed(db, 1),
            {
              cellClass: (engine) => (isNumber(engine.outputs_engine_db) ? '' : 'dim'),
              title: dbTitle,
            },
          ),
        ]
      : []),
    column(['Findings'], findingsCell, {
      ...classed('findings', 'Errors, warnings and notes of the lint rules', { width: 118 }),
      cellClass: ({ findings }) => (findings === undefined ? 'dim' : ''),
    }),
  ];
}

export interface ColumnsSpec {
  // Computed from all engines, so that the unit does not depend on what is shown.
  readonly engines: readonly ListedEngine[];
  readonly nowMs: number;
  // The only folder that is served, which need not be repeated in every row; else null.
  readonly root: string | null;
  // Which `optional` columns are left out.
  readonly isNarrow: boolean;
  // Engines whose errors are shown in full.
  readonly open: Set<string>;
}

export function engineColumns(spec: ColumnsSpec): readonly Column<ListedEngine>[] {
  const shown = figures(spec.engines).filter((one) => one.optional !== true || !spec.isNarrow);
  const all = { attrs: { colspan: shown.length } };
  const placeOf = (engine: ListedEngine): HTMLElement => {
    const { is_dropped: isDropped, place } = engine;
    const text = isDropped ? 'dropped on this page' : visible(within(place, spec.root));
    return span('cut dim', text);
  };
  return [
    column(['Engine'], nameCell, {
      ...classed('name', 'The name in its files, or else the file name'),
    }),
    column(['Place'], placeOf, {
      ...classed('place', 'Its folder'),
      title: ({ place }) => visible(place),
    }),
    ...shown.map((one, at): Column<ListedEngine> => ({
      ...one,
      cell: (engine, ...where) =>
        at > 0 || engine.state === 'ready'
          ? one.cell(engine, ...where)
          : el('td', all, instead(engine, spec.open)),
    })),
    column(['Written'], (engine) => dateText(engine.modified_ms, spec.nowMs), {
      ...classed('date', 'When its newest file was written', { width: 92 }),
      title: ({ modified_ms: ms }) => fullDateText(ms),
    }),
    column(['Runs'], trendCell, {
      ...classed(
        'trend',
        'End-to-end medians of engines with the same name, compiler, device, precision and batch, by date; ' +
          'up is slower; the line spans at least 10 % of the time. The number: change from the previous ' +
          'run, not tested against noise',
        { width: 176 },
      ),
      cellClass: ({ trend }) => (trend === null ? 'dim' : ''),
    }),
  ];
}
