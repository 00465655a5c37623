// The findings of one rule. Two lines per finding, because the cause is a sentence and the name is
// long.

import {
  bar,
  bodyFont,
  column,
  div,
  familyClass,
  findingKey,
  findingState,
  fitName,
  Grid,
  inUnit,
  kMissing,
  layerPrecision,
  nameTitle,
  numbers,
  rowOfFinding,
  severitySign,
  significant,
  span,
  timeUnit,
  visible,
  type Columns,
  type Content,
  type EngineFinding,
  type Store,
  type ViewContext,
} from '../../public/index.ts';

// If names are narrow, causes get a second line.
const kRowHeight = 40;
const kHighRow = 55;
const kHighRowBelow = 420;
const kBarPx = 56;
const kPrecision = 132;
const kMinName = 140;

function causeCell(store: Store, finding: EngineFinding, room: number): Content {
  const row = rowOfFinding(store.engine, finding);
  const name = row === null ? 'the engine' : store.layerLabel(row);
  const waived = finding.suppressed !== null && span('dim', suppressedText(finding), ' · ');
  return [
    div('finding-layer', fitName(name, room, bodyFont(12, 600), store.labels())),
    div('finding-cause', waived, visible(finding.message.slice(0, 2000))),
  ];
}

function causeTitle({ engine }: Store, finding: EngineFinding): string {
  const row = rowOfFinding(engine, finding);
  const whole = row === null ? 'the engine' : engine.layerName(row);
  return `${nameTitle(whole)}\n${visible(finding.message.slice(0, 1000))}`;
}

function findingColumns(
  store: Store,
  findings: readonly EngineFinding[],
  width: number,
): Columns<EngineFinding> {
  const { engine, basis } = store;
  const { hasTimes } = engine;
  const times = engine.times(basis);
  const rowOf = (finding: EngineFinding): number | null => rowOfFinding(engine, finding);
  const timeOf = (finding: EngineFinding): number | undefined => times[rowOf(finding) ?? -1];
  // Not Math.max(...): there may be thousands.
  const largestOf = (value: (finding: EngineFinding) => number | null | undefined): number =>
    findings.map((finding) => value(finding) ?? 0).reduce((most, ms) => (ms > most ? ms : most), 0);
  const time = timeUnit(largestOf(timeOf));
  const largest = largestOf((finding) => finding.estimated_ms);
  const saving = timeUnit(largest);
  const savingBar = (finding: EngineFinding): Content => {
    const row = rowOf(finding);
    const family = familyClass(row === null ? null : engine.layers.text('family', row));
    const { estimated_ms: ms } = finding;
    return ms !== null && largest > 0 && bar(ms / largest, kBarPx, family);
  };
  const full = `Full width: ${significant(largest * saving.scale, 3)} ${saving.unit}`;
  // Without times there is nothing to estimate from.
  const others = 34 + 48 + (hasTimes ? 64 + 62 + 72 : 0);
  return [
    column(span('offscreen', 'Severity'), ({ severity }) => severitySign(severity), {
      width: 34,
      cellClass: 'sign-cell',
    }),
    numbers('#', ({ layer_id: id }) => (id === null ? kMissing : String(id)), {
      width: 48,
      cellClass: 'dim',
    }),
    column('Layer, and why', (finding, _, room) => causeCell(store, finding, room), {
      width: null,
      cellClass: 'name',
      title: (finding) => causeTitle(store, finding),
    }),
    width - others - kPrecision >= 2 * kMinName &&
      column(
        'In → out',
        (finding) => {
          const row = rowOf(finding);
          return row !== null && layerPrecision(engine, row);
        },
        { width: kPrecision },
      ),
    hasTimes &&
      numbers(
        `${time.unit}${basis === 'corrected' ? ' corr.' : ''}`,
        (finding) => inUnit(timeOf(finding), time),
        { width: 64, help: 'Time of the layer' },
      ),
    hasTimes &&
      numbers(`saving ${saving.unit}`, ({ estimated_ms: ms }) => inUnit(ms, saving), {
        id: 'saving',
        width: 62,
        help: 'Potential saving, as estimated',
      }),
    hasTimes &&
      column(span('offscreen', 'Estimate as a bar'), savingBar, { width: 72, help: full }),
  ];
}

// `chosen`: the finding that is selected; `findings`: those of the rule.
export function findingsGrid(
  context: ViewContext,
  findings: () => readonly EngineFinding[],
  chosen: () => EngineFinding | null,
): Grid<EngineFinding> {
  const { store } = context;
  const grid = new Grid<EngineFinding>(context, {
    label: 'Findings of the rule',
    class: 'findings-table clickable',
    columns: (width) => findingColumns(store, findings(), width),
    minName: kMinName,
    emphasis: 'saving',
    rowHeight: (nameWidth) => {
      const isHigh = nameWidth < kHighRowBelow;
      grid.node.classList.toggle('high-rows', isHigh);
      return isHigh ? kHighRow : kRowHeight;
    },
    row: (finding) => rowOfFinding(store.engine, finding),
    isSelected: (finding) => finding === chosen(),
    props: (finding) => ({ attrs: { 'data-finding': findingKey(finding) } }),
    click: (finding) => store.patch(findingState(store, finding)),
    open: (finding) => {
      const row = rowOfFinding(store.engine, finding);
      if (row !== null) store.patch({ view: 'graph', selected: row });
    },
  });
  return grid;
}

export function suppressedText({ suppressed }: EngineFinding): string {
  if (suppressed === null) return '';
  const how = suppressed.by === 'waiver' ? 'waived' : 'in the baseline';
  return suppressed.reason === null ? how : `${how}: ${visible(suppressed.reason)}`;
}
