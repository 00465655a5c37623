// One finding: its message, the layer among its neighbours, why it matters, what to do, the
// potential saving and its source, and how to accept it.

import {
  commandBox,
  div,
  el,
  evidenceFacts,
  familySwatch,
  findingState,
  fixText,
  iconButton,
  integer,
  inUnit,
  isNumber,
  kFindingOption,
  joined,
  layerFigures,
  linkButton,
  panelHead,
  panelSection,
  percent,
  plural,
  rowOfFinding,
  sentence,
  severitySign,
  signed,
  significant,
  span,
  timeUnit,
  visible,
  type Child,
  type EngineFinding,
  type FittedName,
  type Saving,
  type SolvedElsewhere,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import { choiceOf } from './choice.ts';
import { evidenceOf } from './evidence.ts';
import { waiveSection } from './waive_form.ts';

const kLongestName = 600;
const kMaxSavings = 8;
const kMaxOthers = 8;

const soft = (...children: readonly Child[]): HTMLElement =>
  el('p', { class: 'soft' }, ...children);

function timeText(ms: number): string {
  return ms >= 1 ? `${significant(ms, 3)} ms` : `${significant(ms * 1000, 3)} µs`;
}

function closeFinding(store: Store): void {
  const options = Object.entries(store.state.options).filter(([key]) => key !== kFindingOption);
  store.patch({ selected: null, options: Object.fromEntries(options) });
}

// The next finding of the rule, or the previous one; the first if none is chosen.
export function stepFinding({ store }: ViewContext, by: number): void {
  const { findings, finding } = choiceOf(store);
  const at = finding === null ? -1 : findings.indexOf(finding);
  const next = at < 0 ? 0 : Math.min(findings.length - 1, Math.max(0, at + by));
  const target = findings[next];
  if (target !== undefined && target !== finding) store.patch(findingState(store, target));
}

function head(context: ViewContext, finding: EngineFinding): HTMLElement {
  const { store } = context;
  const { engine } = store;
  const { findings } = choiceOf(store);
  const at = findings.indexOf(finding);
  const row = rowOfFinding(engine, finding);
  const name = row === null ? 'the whole engine' : engine.rawName(row);
  const text = textOf(finding, row === null ? null : name);
  return panelHead(
    [
      severitySign(finding.severity),
      span('dim finding-rule', ` ${finding.severity} · ${visible(finding.rule)}`),
    ],
    [
      at >= 0 && span('dim', `${integer(at + 1)} of ${integer(findings.length)}`),
      iconButton('left', 'Previous finding (k)', () => stepFinding(context, -1)),
      iconButton('right', 'Next finding (j)', () => stepFinding(context, 1)),
      iconButton('copy', 'Copy the finding', () => context.copy(text, 'finding')),
    ],
    () => closeFinding(store),
    div('panel-name', visible(name.slice(0, kLongestName)) || '(no name)'),
    row !== null && layerFigures(store, row),
    el('p', { class: 'finding-sentence' }, visible(sentence(finding.message))),
  );
}

// Text that makes sense without the page.
function textOf(finding: EngineFinding, layer: string | null): string {
  const { rule, message, evidence, fix, fingerprint } = finding;
  const parts = [
    joined([rule, layer], ': '),
    sentence(message),
    evidence,
    fix && `Fix: ${fix}`,
    fingerprint && `Fingerprint: ${fingerprint}`,
  ];
  return joined(parts, '\n');
}

function evidenceSection(context: ViewContext, finding: EngineFinding): Child {
  const { engine, basis } = context.store;
  const drawing = evidenceOf(context, finding);
  const facts = evidenceFacts(finding.evidence);
  if (drawing === null && facts.length === 0) return null;
  const note = drawing?.note ?? '';
  return panelSection(
    'Evidence',
    engine.hasTimes && span('', `times: ${basis}`),
    drawing?.node,
    note !== '' && div('soft', `and ${note}`),
    facts.length > 0 &&
      el(
        'ul',
        { class: 'soft facts-in-words' },
        ...facts.map((fact) => el('li', {}, visible(fact))),
      ),
  );
}

function whyAndFix(context: ViewContext, finding: EngineFinding): readonly Child[] {
  const { fix } = finding;
  const rule = context.store.engine.rules.find(({ id }) => id === finding.rule);
  const { rationale = null, source = null, command = null } = rule ?? {};
  return [
    rationale !== null &&
      panelSection(
        'Why',
        null,
        el('p', {}, visible(sentence(rationale))),
        source !== null && soft(`Source: ${visible(source)}`),
      ),
    (fix !== '' || command !== null) &&
      panelSection(
        'Fix',
        fix !== '' && iconButton('copy', 'Copy the fix', () => context.copy(fix, 'fix')),
        fix !== '' && div('fix', fixText(fix.includes('\n') ? fix : sentence(fix))),
        // It names the edits of the model, with the gain of each.
        command !== null && commandBox(command, (text) => context.copy(text, 'command')),
      ),
  ];
}

function worth(store: Store, finding: EngineFinding, names: FittedName[]): HTMLElement {
  const { estimated_ms: ms, estimate_method: method, savings } = finding;
  const known = isNumber(ms);
  // If all of the saving is the layer itself, the sum says so.
  const isPlain = savings.every(
    ({ layer_id, fraction }) => layer_id === finding.layer_id && fraction > 0.999,
  );
  const shown = known && !isPlain ? savings.slice(0, kMaxSavings) : [];
  const more = savings.length - kMaxSavings;
  return panelSection(
    'Worth',
    known && span('', 'per inference'),
    div(
      'worth-line worth-sum line',
      span('grow', known ? 'estimated gain' : 'not known'),
      known && span('worth-ms', `−${timeText(ms)}`),
    ),
    ...shown.map((saving) => savingLine(store, saving, names)),
    known && more > 0 && div('soft', `and of ${plural(more, 'further layer')}`),
    method !== null &&
      method !== '' &&
      soft(visible(sentence(known ? `Estimate: ${method}` : method))),
    ...finding.elsewhere.map((place) => elsewhereLine(store, place)),
  );
}

function savingLine(store: Store, saving: Saving, names: FittedName[]): HTMLElement {
  const { engine } = store;
  const row = engine.rowOf(saving.layer_id);
  const node = span('');
  names.push({ name: row === null ? '?' : store.layerLabel(row), node });
  return div(
    'worth-line line',
    row !== null && familySwatch(engine.layers.text('family', row)),
    div('grow cut', node),
    span('dim', saving.fraction > 0.999 ? 'goes' : `${percent(saving.fraction)} % of its time`),
    span('worth-ms', saving.ms === null ? 'not measured' : `−${timeText(saving.ms)}`),
  );
}

// Measured, if another engine of the report does not have the problem.
function elsewhereLine(store: Store, place: SolvedElsewhere): HTMLElement {
  const { here, here_ms: hereMs, there, there_ms: thereMs, delta_ms: delta } = place;
  const other = store.report.engines[place.engine];
  const steps = [store.engine, other].map((one) => one?.summary.time.resolution_us ?? 0);
  // One step of the profiler on each side.
  const isNoise = Math.abs(delta) * 1000 <= 2 * Math.max(...steps);
  const unit = timeUnit(Math.max(hereMs, thereMs));
  const thereText = there.length === 0 ? 'not there' : `${inUnit(thereMs, unit)} ${unit.unit}`;
  const tone = isNoise ? 'dim' : delta < 0 ? 'faster' : 'slower';
  const change = `${signed(delta * unit.scale, unit.decimals)} ${unit.unit}`;
  const title = `This rule finds nothing in the same place of that engine: ${plural(here.length, 'layer')} here, ${String(there.length)} there`;
  const click = (): void => {
    const selected = other?.rowOf(there[0] ?? -1) ?? null;
    store.patch({ engine: place.engine, selected });
  };
  return el(
    'button',
    { class: 'worth-line elsewhere line', attrs: { type: 'button', title }, on: { click } },
    span(
      'grow cut',
      'measured in ',
      span('link', visible(other?.id ?? '?')),
      `: ${inUnit(hereMs, unit)} → ${thereText}`,
    ),
    span(`worth-ms ${tone}`, isNoise ? `≈ ${change}` : change),
  );
}

function others(store: Store, finding: EngineFinding): HTMLElement | null {
  const { engine } = store;
  const row = rowOfFinding(engine, finding);
  if (row === null) return null;
  const found = engine.findingsOf(row).filter((other) => other !== finding);
  const line = (other: EngineFinding): HTMLElement =>
    el(
      'button',
      {
        class: 'other-finding line',
        attrs: { type: 'button', title: visible(other.message.slice(0, 1000)) },
        on: { click: () => store.patch(findingState(store, other)) },
      },
      severitySign(other.severity),
      span('link grow', visible(other.rule)),
      isNumber(other.estimated_ms) && span('worth-ms', `≈ ${timeText(other.estimated_ms)}`),
    );
  const has =
    found.length === 0 ? 'has no other finding.' : `has ${plural(found.length, 'other finding')}:`;
  return panelSection(
    'This layer',
    linkButton('its details', 'Ports, numbers, attributes (l)', () =>
      store.patch({ view: 'layers', selected: row }),
    ),
    div('soft', has),
    ...found.slice(0, kMaxOthers).map(line),
  );
}

// Null if no finding is chosen: then the panel shows the layer.
export function findingPanel(context: ViewContext, names: FittedName[]): readonly Child[] | null {
  const { store } = context;
  const { finding } = choiceOf(store);
  if (finding === null) return null;
  return [
    head(context, finding),
    evidenceSection(context, finding),
    ...whyAndFix(context, finding),
    worth(store, finding, names),
    waiveSection(context, finding),
    others(store, finding),
  ];
}
