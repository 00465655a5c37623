// Findings: what is worth changing?

import {
  csvOf,
  figureTable,
  linkButton,
  div,
  el,
  firedRules,
  fitAll,
  fixed,
  isNumber,
  keepFocus,
  commandBox,
  equals,
  kSeverityOption,
  kShowOption,
  kTicksOption,
  missingPieces,
  plural,
  replace,
  rowOfFinding,
  sentence,
  severitySign,
  ruleSeverity,
  span,
  visible,
  type Change,
  type FittedName,
  type Grid,
  type MountedView,
  type Store,
  type View,
  type ViewContext,
  type EngineFinding,
  type RuleStatus,
} from '../../public/index.ts';
import { actionsBlock } from './actions.ts';
import { choiceOf, type Choice, type Show } from './choice.ts';
import { findingPanel, stepFinding } from './finding_panel.ts';
import { findingsCount, findingsGrid } from './findings_table.ts';
import { findingsConclusion } from './conclusion.ts';
import { judgingOf, ruleControls } from './judging.ts';
import { PrintedFindings } from './print.ts';
import { reformatTable } from './reformat_table.ts';
import { blindRules, rulesList } from './rules_list.ts';
import { explainCommand, ruleCommand } from './waive.ts';
import { waiversTable } from './waivers_table.ts';
import './findings.css';

class FindingsView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #conclusion = el('p', { class: 'conclusion' });
  readonly #first = div('findings-first');
  readonly #rules = div('findings-rules');
  readonly #about = div('findings-about');
  readonly #reformats = div('findings-reformats');
  readonly #grid: Grid<EngineFinding>;
  readonly #middle: HTMLElement;
  readonly #printed: PrintedFindings;
  #choice: Choice | null = null;
  #width = 0;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    this.#grid = findingsGrid(
      context,
      () => this.#choice?.findings ?? [],
      () => this.#choice?.finding ?? null,
    );
    this.#middle = div('findings-middle', this.#about, this.#grid.node, this.#reformats);
    host.classList.add('findings-view');
    this.#printed = new PrintedFindings(context);
    replace(
      host,
      this.#conclusion,
      this.#first,
      div('findings-columns', this.#rules, this.#middle),
      this.#printed.node,
    );
    this.#draw();
  }

  update(change: Change): void {
    const before = this.#choice;
    const now = choiceOf(this.#context.store);
    // Another finding of the same rule: nothing is made anew.
    const isSame =
      change.size > 0 &&
      [...change].every((key) => key === 'selected' || key === 'options' || key === 'item') &&
      before !== null &&
      before.rule === now.rule &&
      before.show === now.show &&
      before.findings === now.findings &&
      this.#grid.width === this.#width;
    if (!isSame) {
      this.#draw();
      return;
    }
    this.#choice = now;
    if (change.has('options')) this.#drawFirst(now);
    this.#grid.mark();
    this.#revealFinding();
    this.#markReformats();
  }

  #drawFirst(choice: Choice): void {
    const { store } = this.#context;
    replace(this.#first, choice.show === 'fired' ? actionsBlock(store) : null);
  }

  #markReformats(): void {
    const selected = String(this.#context.store.state.selected ?? '');
    for (const row of this.#reformats.querySelectorAll('tr[data-row]')) {
      row.classList.toggle('selected', row.getAttribute('data-row') === selected);
    }
  }

  #draw(): void {
    const { store } = this.#context;
    const choice = choiceOf(store);
    const isSame = this.#choice?.findings === choice.findings;
    this.#choice = choice;
    this.#drawConclusion();
    this.#drawFirst(choice);
    const scroll = this.#rules.scrollTop;
    keepFocus(this.#rules, () =>
      replace(this.#rules, ...rulesList(this.#context, choice, (show) => this.#show(show))),
    );
    this.#rules.scrollTop = scroll;
    keepFocus(this.#about, () => replace(this.#about, ...this.#aboutRule(choice)));
    this.#grid.node.hidden = choice.findings.length === 0;
    const names: FittedName[] = [];
    const reformats = reformatTable(this.#context, names);
    this.#middle.classList.toggle('alone', reformats === null);
    if (!isSame) this.#grid.node.scrollTop = 0;
    this.#grid.draw(choice.findings);
    this.#revealFinding();
    replace(this.#reformats, choice.show === 'waived' ? waiversTable(this.#context) : reformats);
    fitAll(names);
    this.#width = this.#grid.width;
  }

  #revealFinding(): void {
    const finding = this.#choice?.finding ?? null;
    if (finding !== null) this.#grid.reveal((one) => one === finding);
  }

  #drawConclusion(): void {
    const { engine } = this.#context.store;
    const judging = judgingOf(this.#context);
    const conclusion = findingsConclusion(engine, firedRules(engine), judging?.choice ?? null);
    this.#conclusion.hidden = conclusion === null;
    if (conclusion !== null) {
      replace(
        this.#conclusion,
        el('b', {}, visible(conclusion.headline)),
        ` ${visible(conclusion.text)}`,
      );
    }
  }

  #show(show: Show): void {
    const { store } = this.#context;
    const kept = Object.entries(store.state.options).filter(
      ([key]) => !key.startsWith('findings.') || key === kSeverityOption || key === kTicksOption,
    );
    if (show !== 'fired') kept.push([kShowOption, show]);
    store.patch({ options: Object.fromEntries(kept) });
  }

  #aboutRule(choice: Choice): readonly (Node | null)[] {
    const { rule } = choice;
    const { store } = this.#context;
    if (rule === null) {
      if (choice.show !== 'fired' || choice.severity !== null) return [];
      return [missingPieces(this.#context), ...blindRules(store)];
    }
    const isShown = choice.show === 'fired' || (choice.show === 'all' && choice.count > 0);
    return [
      el(
        'h2',
        { class: 'section-title' },
        isShown ? severitySign(ruleSeverity(store.engine, rule)) : null,
        span('about-rule', visible(rule.id)),
        span('explain', this.#count(choice, rule)),
        this.#actions(choice, rule),
        ruleControls(this.#context, rule),
      ),
      el('p', {}, visible(sentence(rule.summary))),
      rule.status === 'skipped'
        ? el('p', {}, el('b', {}, 'Skipped: '), visible(sentence(rule.reason ?? 'no reason given')))
        : null,
      rule.status === 'silent'
        ? el('p', { class: 'soft' }, 'This rule ran and found nothing.')
        : null,
      this.#doc(rule, choice),
    ];
  }

  #count(choice: Choice, rule: RuleStatus): string {
    if (choice.count === 0) return '';
    const isShown = choice.show === 'fired' || choice.show === 'all';
    const shown = findingsCount(choice.findings.length, choice.count);
    const worth =
      isShown && rule.estimated_ms !== null
        ? `, potential saving ≈ ${fixed(rule.estimated_ms, 3)} ms`
        : '';
    const waived =
      isShown && rule.suppressed_count > 0
        ? `, ${plural(rule.suppressed_count, 'other')} waived`
        : '';
    const isOrdered = choice.findings.length > 1 && isNumber(choice.findings[0]?.estimated_ms);
    const order = isOrdered ? ', by estimated gain' : '';
    return `${shown} ${choice.count === 1 ? 'finding' : 'findings'}${order}${worth}${waived}`;
  }

  #actions(choice: Choice, rule: RuleStatus): HTMLElement | null {
    const { store } = this.#context;
    const judging = judgingOf(this.#context);
    if (choice.count === 0) return null;
    const isShown = choice.show === 'fired' || choice.show === 'all';
    return span(
      'actions',
      isShown
        ? linkButton('layers', 'These layers in the table', () =>
            store.patch({
              view: 'layers',
              chips: [...store.state.chips, equals('finding', rule.id)],
            }),
          )
        : null,
      linkButton('CSV', 'Save the findings shown', () => this.#save(choice, rule)),
      isShown
        ? linkButton('command', 'Copy the command that prints these findings', () =>
            this.#context.copy(ruleCommand(store.engine, rule.id, judging), 'command'),
          )
        : null,
    );
  }

  // Why it exists, what to do in general, how it knows.
  #doc(rule: RuleStatus, choice: Choice): HTMLElement | null {
    const parts: readonly (readonly [string, string | null])[] = [
      ['Why it matters', rule.rationale],
      ['What to do', rule.fix],
      ['Evidence', rule.evidence],
      ['Estimate', rule.estimate],
      ['Source', rule.source],
    ];
    const known = parts.filter((part): part is readonly [string, string] => part[1] !== null);
    if (known.length === 0 && rule.command === null) return null;
    const details = el(
      'details',
      { class: 'rule-doc', attrs: { open: choice.count === 0 } },
      el('summary', {}, 'About this rule'),
      el(
        'dl',
        {},
        ...known.flatMap(([key, text]) => [
          el('dt', {}, key),
          el('dd', {}, visible(sentence(text))),
        ]),
      ),
      ...[rule.command, explainCommand(rule.id)]
        .filter((command) => command !== null && command !== '')
        .map((command) => commandBox(command ?? '', (text) => this.#context.copy(text, 'command'))),
    );
    return details;
  }

  #save(choice: Choice, rule: RuleStatus): void {
    const { store } = this.#context;
    const table = figureTable<EngineFinding>(choice.findings, [
      ['rule', null, (f) => f.rule],
      ['severity', null, (f) => f.severity],
      ['layer_id', 0, (f) => f.layer_id],
      ['layer', null, (f) => f.layer],
      ['message', null, (f) => f.message],
      ['evidence', null, (f) => f.evidence],
      ['estimated_ms', 4, (f) => f.estimated_ms],
      ['estimate_method', null, (f) => f.estimate_method],
      ['fix', null, (f) => f.fix],
      ['fingerprint', null, (f) => f.fingerprint],
      ['suppressed', null, (f) => f.suppressed?.reason ?? f.suppressed?.by],
    ]);
    const name = `${store.engineTitle}.${rule.id.slice(0, 80)}.csv`;
    this.#context.download(name, csvOf(table));
  }

  key(key: string): boolean {
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[key];
    if (step === undefined) return false;
    stepFinding(this.#context, step === 1 ? 1 : -1);
    return true;
  }

  destroy(): void {
    this.#grid.destroy();
    this.#printed.destroy();
    this.#host.classList.remove('findings-view');
  }
}

function marks(store: Store): readonly number[] {
  const { engine } = store;
  return choiceOf(store).findings.flatMap((finding) => rowOfFinding(engine, finding) ?? []);
}

export const view: View = {
  id: 'findings',
  title: 'Findings',
  needs: ['layers'],
  isEarly: true,
  count: (engine) => engine.findings.length,
  panel: findingPanel,
  marks,
  mount: (host, context) => new FindingsView(host, context),
};
