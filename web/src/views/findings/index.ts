// Findings: what is worth changing?

import {
  conclusionLine,
  div,
  firedRules,
  fitAll,
  keepFocus,
  kSeverityOption,
  kShowOption,
  kTicksOption,
  markLayerRows,
  replace,
  rowOfFinding,
  type Change,
  type EngineFinding,
  type FittedName,
  type Grid,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { aboutRule } from './about_rule.ts';
import { actionsBlock } from './actions.ts';
import { choiceOf, type Choice, type Show } from './choice.ts';
import { findingsConclusion } from './conclusion.ts';
import { findingPanel, stepFinding } from './finding_panel.ts';
import { findingsGrid } from './findings_table.ts';
import { judgingOf } from './judging.ts';
import { printedFindings } from './print.ts';
import { reformatTable } from './reformat_table.ts';
import { rulesList } from './rules_list.ts';
import { waiversTable } from './waivers_table.ts';
import './findings.css';

class FindingsView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #head = div('findings-head');
  readonly #rules = div('findings-rules');
  readonly #about = div('findings-about');
  readonly #reformats = div('findings-reformats');
  readonly #grid: Grid<EngineFinding>;
  readonly #middle: HTMLElement;
  readonly #printed: ReturnType<typeof printedFindings>;
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
    this.#printed = printedFindings(context);
    replace(
      host,
      this.#head,
      div('findings-columns no-print', this.#rules, this.#middle),
      this.#printed.node,
    );
    this.#draw();
  }

  update(change: Change): void {
    const before = this.#choice;
    const now = choiceOf(this.#context.store);
    // Another finding of the same rule: nothing is rebuilt.
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
    if (change.has('options')) this.#drawHead(now);
    this.#grid.mark();
    this.#revealFinding();
    markLayerRows(this.#reformats, this.#context.store);
  }

  #drawHead({ show }: Choice): void {
    const { store } = this.#context;
    const choice = judgingOf(this.#context)?.choice ?? null;
    replace(
      this.#head,
      conclusionLine(findingsConclusion(store.engine, firedRules(store.engine), choice)),
      show === 'fired' && actionsBlock(store),
    );
  }

  #draw(): void {
    const choice = choiceOf(this.#context.store);
    const isSame = this.#choice?.findings === choice.findings;
    this.#choice = choice;
    this.#drawHead(choice);
    const scroll = this.#rules.scrollTop;
    keepFocus(this.#rules, () =>
      replace(this.#rules, ...rulesList(this.#context, choice, (show) => this.#show(show))),
    );
    this.#rules.scrollTop = scroll;
    keepFocus(this.#about, () => replace(this.#about, ...aboutRule(this.#context, choice)));
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

  #show(show: Show): void {
    const { store } = this.#context;
    const kept = Object.entries(store.state.options).filter(
      ([key]) => !key.startsWith('findings.') || key === kSeverityOption || key === kTicksOption,
    );
    if (show !== 'fired') kept.push([kShowOption, show]);
    store.patch({ options: Object.fromEntries(kept) });
  }

  key(key: string): boolean {
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) stepFinding(this.#context, step);
    return step !== undefined;
  }

  destroy(): void {
    this.#grid.destroy();
    this.#printed.destroy();
    this.#host.classList.remove('findings-view');
  }
}

export const view: View = {
  id: 'findings',
  title: 'Findings',
  needs: ['layers'],
  isEarly: true,
  count: (engine) => engine.findings.length,
  panel: findingPanel,
  marks: (store) =>
    choiceOf(store).findings.flatMap((finding) => rowOfFinding(store.engine, finding) ?? []),
  mount: (host, context) => new FindingsView(host, context),
};
