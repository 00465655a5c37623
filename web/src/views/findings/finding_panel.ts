// One finding: what it says, the layer among its neighbours, why it matters, what to do, what that is
// worth and how it is known, and how to accept it.

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
  layerPrecision,
  linkButton,
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
  type RuleStatus,
  type Saving,
  type SolvedElsewhere,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import { choiceOf } from './choice.ts';
import { evidenceOf } from './evidence.ts';
import { suppressedText } from './findings_table.ts';
import { section } from './section.ts';
import { judgingOf } from './judging.ts';
import { kAnyReason, kWaiversFile, waiveCommand } from './waive.ts';
import { takeBack, waiveForm } from './waive_form.ts';

const kLongestName = 600;
const kMaxSavings = 8;
const kMaxOthers = 8;

class FindingPanel {
  readonly #context: ViewContext;
  readonly #store: Store;
  readonly #finding: EngineFinding;
  readonly #names: FittedName[];
  readonly #row: number | null;

  constructor(context: ViewContext, finding: EngineFinding, names: FittedName[]) {
    this.#context = context;
    this.#store = context.store;
    this.#finding = finding;
    this.#names = names;
    this.#row = rowOfFinding(context.store.engine, finding);
  }

  parts(): readonly Child[] {
    return [
      this.#head(),
      this.#evidence(),
      this.#why(),
      this.#fix(),
      this.#worth(),
      this.#waive(),
      this.#others(),
    ];
  }

  get #rule(): RuleStatus | null {
    return this.#store.engine.rules.find((rule) => rule.id === this.#finding.rule) ?? null;
  }

  #step(by: 1 | -1): void {
    stepFinding(this.#context, by);
  }

  #head(): HTMLElement {
    const { engine, basis } = this.#store;
    const { findings } = choiceOf(this.#store);
    const at = findings.indexOf(this.#finding);
    const name = this.#row === null ? 'the whole engine' : engine.rawName(this.#row);
    const time = this.#row === null ? null : engine.times(basis)[this.#row];
    const unit = timeUnit(isNumber(time) ? time : 0);
    const corrected = basis === 'corrected' ? ' corr.' : '';
    return el(
      'div',
      { class: 'panel-head' },
      div(
        'panel-line',
        severitySign(this.#finding.severity),
        span('dim finding-rule', ` ${this.#finding.severity} · ${visible(this.#finding.rule)}`),
        span('grow'),
        at < 0 ? null : span('dim', `${integer(at + 1)} of ${integer(findings.length)}`),
        iconButton('left', 'Previous finding (k)', () => this.#step(-1)),
        iconButton('right', 'Next finding (j)', () => this.#step(1)),
        iconButton('copy', 'Copy the finding', () => this.#context.copy(this.#text(), 'finding')),
        iconButton('close', 'Close (Esc)', () => closeFinding(this.#store)),
      ),
      div('panel-name', visible(name.slice(0, kLongestName)) || '(no name)'),
      this.#row === null
        ? null
        : div(
            'panel-line figures',
            isNumber(time)
              ? span('key-figure', inUnit(time, unit), el('small', {}, unit.unit))
              : span('dim', engine.hasTimes ? 'not in the profile' : 'no times'),
            isNumber(time)
              ? span('soft', `${percent(engine.share(this.#row, basis))} % of Σ${corrected}`)
              : null,
            layerPrecision(engine, this.#row),
          ),
      el('p', { class: 'finding-sentence' }, visible(sentence(this.#finding.message))),
    );
  }

  // What somebody else can read without the page.
  #text(): string {
    const { rule, message, evidence, fix, fingerprint } = this.#finding;
    const layer = this.#row === null ? '' : `: ${this.#store.engine.rawName(this.#row)}`;
    return [
      `${rule}${layer}`,
      sentence(message),
      evidence,
      fix === '' ? null : `Fix: ${fix}`,
      fingerprint === '' ? null : `Fingerprint: ${fingerprint}`,
    ]
      .filter((part) => part !== null && part !== '')
      .join('\n');
  }

  #evidence(): HTMLElement | null {
    const drawing = evidenceOf(this.#context, this.#finding);
    const facts = evidenceFacts(this.#finding.evidence);
    if (drawing === null && facts.length === 0) return null;
    const note = drawing?.note ?? null;
    return section(
      'Evidence',
      this.#store.engine.hasTimes ? span('', `times: ${this.#store.basis}`) : null,
      drawing?.node ?? null,
      note === null ? null : div('soft', `and ${note}`),
      facts.length === 0
        ? null
        : el(
            'ul',
            { class: 'facts-in-words' },
            ...facts.map((fact) => el('li', {}, visible(fact))),
          ),
    );
  }

  #why(): HTMLElement | null {
    const rationale = this.#rule?.rationale ?? null;
    if (rationale === null) return null;
    const source = this.#rule?.source ?? null;
    return section(
      'Why',
      null,
      el('p', {}, visible(sentence(rationale))),
      source === null ? null : el('p', { class: 'soft' }, `Source: ${visible(source)}`),
    );
  }

  #fix(): HTMLElement | null {
    const { fix } = this.#finding;
    const command = this.#rule?.command ?? null;
    if (fix === '' && command === null) return null;
    return section(
      'Fix',
      fix === '' ? null : iconButton('copy', 'Copy the fix', () => this.#context.copy(fix, 'fix')),
      fix === '' ? null : div('fix', fixText(fix.includes('\n') ? fix : sentence(fix))),
      // It names the edits of the model, with what each would gain.
      command === null ? null : commandBox(command, (text) => this.#context.copy(text, 'command')),
    );
  }

  #worth(): HTMLElement | null {
    const { estimated_ms: ms, estimate_method: method, savings } = this.#finding;
    const known = isNumber(ms);
    // Where all that goes is the layer itself, the sum says it.
    const isPlain = savings.every(
      ({ layer_id, fraction }) => layer_id === this.#finding.layer_id && fraction > 0.999,
    );
    const shown = known && !isPlain ? savings.slice(0, kMaxSavings) : [];
    const more = savings.length - kMaxSavings;
    return section(
      'Worth',
      known ? span('', 'per inference') : null,
      div(
        'worth-line worth-sum',
        span('', known ? 'estimated gain' : 'not known'),
        known ? span('worth-ms', `−${timeText(ms)}`) : null,
      ),
      ...shown.map((saving) => this.#saving(saving)),
      known && more > 0 ? div('soft', `and of ${plural(more, 'further layer')}`) : null,
      method === null || method === ''
        ? null
        : el('p', { class: 'soft' }, visible(sentence(known ? `Estimate: ${method}` : method))),
      ...this.#finding.elsewhere.map((place) => this.#elsewhere(place)),
    );
  }

  #saving(saving: Saving): HTMLElement {
    const { engine } = this.#store;
    const row = engine.rowOf(saving.layer_id);
    const name = el('span', {});
    const isAll = saving.fraction > 0.999;
    const what = isAll ? 'goes' : `${percent(saving.fraction)} % of its time`;
    this.#names.push({ name: row === null ? '?' : this.#store.layerLabel(row), node: name });
    return div(
      'worth-line',
      row === null ? null : familySwatch(engine.layers.text('family', row)),
      div('worth-name', name),
      span('dim', what),
      span('worth-ms', saving.ms === null ? 'not measured' : `−${timeText(saving.ms)}`),
    );
  }

  // Measured, where another engine of the report has it solved.
  #elsewhere(place: SolvedElsewhere): HTMLElement {
    const other = this.#store.report.engines[place.engine];
    const name = visible(other?.id ?? '?');
    const step = Math.max(
      this.#store.engine.summary.time.resolution_us ?? 0,
      other?.summary.time.resolution_us ?? 0,
    );
    // One step of the profiler on each side.
    const isNoise = Math.abs(place.delta_ms) * 1000 <= 2 * step;
    const unit = timeUnit(Math.max(place.here_ms, place.there_ms));
    const there = place.there.length === 0 ? 'not there' : inUnit(place.there_ms, unit);
    const tone = isNoise ? 'dim' : place.delta_ms < 0 ? 'faster' : 'slower';
    const text = `${isNoise ? '≈ ' : ''}${signed(place.delta_ms * unit.scale, unit.decimals)} ${unit.unit}`;
    const line = el(
      'button',
      {
        class: 'worth-line elsewhere',
        attrs: {
          type: 'button',
          title: `This rule finds nothing in the same place there: ${plural(place.here.length, 'layer')} here, ${String(place.there.length)} there`,
        },
        on: {
          click: () => {
            const [first] = place.there;
            const row = first === undefined ? null : (other?.rowOf(first) ?? null);
            this.#store.patch({ engine: place.engine, selected: row });
          },
        },
      },
      span(
        'worth-name',
        'measured in ',
        span('link', name),
        `: ${inUnit(place.here_ms, unit)} → ${there}${place.there.length === 0 ? '' : ` ${unit.unit}`}`,
      ),
      span(`worth-ms ${tone}`, text),
    );
    return line;
  }

  #waive(): HTMLElement | null {
    const { fingerprint, suppressed } = this.#finding;
    const judging = judgingOf(this.#context);
    if (suppressed !== null) {
      return section(
        'Not counted',
        judging === null ? null : takeBack(this.#context, judging, this.#finding),
        el('p', {}, sentence(suppressedText(this.#finding))),
      );
    }
    if (fingerprint === '') return null;
    if (judging !== null) return waiveForm(this.#context, judging, this.#finding);
    const { engine } = this.#store;
    const host = div('waive-command');
    const draw = (reason: string): void => {
      host.replaceChildren(
        commandBox(waiveCommand(engine, fingerprint, reason), (text) =>
          this.#context.copy(text, 'command'),
        ),
      );
    };
    draw('');
    const input = el('input', {
      attrs: {
        type: 'text',
        placeholder: `reason: ${kAnyReason}`,
        'aria-label': 'Why the finding is accepted',
        maxlength: 500,
      },
      on: { input: () => draw(input.value) },
    });
    return section(
      'Waive',
      span('', `adds it to ${kWaiversFile}`),
      input,
      host,
      el(
        'p',
        { class: 'soft' },
        `A report made with --waivers ${kWaiversFile} lists it separately and does not count it.`,
      ),
    );
  }

  #others(): HTMLElement | null {
    const { engine } = this.#store;
    if (this.#row === null) return null;
    const others = engine.findingsOf(this.#row).filter((finding) => finding !== this.#finding);
    const line = (finding: EngineFinding): HTMLElement =>
      el(
        'button',
        {
          class: 'other-finding',
          attrs: { type: 'button', title: visible(finding.message.slice(0, 1000)) },
          on: { click: () => this.#store.patch(findingState(this.#store, finding)) },
        },
        severitySign(finding.severity),
        span('link', visible(finding.rule)),
        isNumber(finding.estimated_ms)
          ? span('worth-ms', `≈ ${timeText(finding.estimated_ms)}`)
          : null,
      );
    return section(
      'This layer',
      linkButton('its details', 'Ports, numbers, attributes (l)', () =>
        this.#store.patch({ view: 'layers', selected: this.#row }),
      ),
      others.length === 0
        ? div('soft', 'has no other finding.')
        : div('soft', `has ${plural(others.length, 'other finding')}:`),
      ...others.slice(0, kMaxOthers).map(line),
    );
  }
}

function timeText(ms: number): string {
  return ms >= 1 ? `${significant(ms, 3)} ms` : `${significant(ms * 1000, 3)} µs`;
}

export function closeFinding(store: Store): void {
  const options = Object.entries(store.state.options).filter(([key]) => key !== 'findings.at');
  store.patch({ selected: null, options: Object.fromEntries(options) });
}

// The next finding of the rule, or the one before; the first where none is chosen.
export function stepFinding(context: ViewContext, by: 1 | -1): void {
  const { store } = context;
  const { findings, finding } = choiceOf(store);
  if (findings.length === 0) return;
  const at = finding === null ? -1 : findings.indexOf(finding);
  const next = at < 0 ? 0 : Math.min(findings.length - 1, Math.max(0, at + by));
  const target = findings[next];
  if (target !== undefined && target !== finding) store.patch(findingState(store, target));
}

// Null where no finding is chosen: then the panel is the layer's.
export function findingPanel(context: ViewContext, names: FittedName[]): readonly Child[] | null {
  const { finding } = choiceOf(context.store);
  return finding === null ? null : new FindingPanel(context, finding, names).parts();
}
