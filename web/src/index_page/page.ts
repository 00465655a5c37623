// The index of `planex serve`: the list of engines, kept up to date; search, sort, choose; open
// reports and comparisons; SQL; dropped files.

import { button, div, el, icon, replace, span, type Child } from '../base/dom.ts';
import { integer, plural } from '../base/format.ts';
import { joined, visible } from '../base/text.ts';
import { acceptDrops, chosenFiles } from '../frame/dropped_files.ts';
import { ProblemList } from '../frame/problem_list.ts';
import { sortText, type Sort } from '../public/grid/sort.ts';
import { kNoProblem, problemIn, type OpenedFile } from '../public/page/opener.ts';
import { Api, ServerError } from './api.ts';
import { EngineTable } from './engine_table.ts';
import { kMaxFiles, objection } from './limits.ts';
import { kDefaultSort, kMaxTogether, matching, reportAddress, sorted, orderOf } from './rows.ts';
import { SqlPanel, type SqlTarget } from './sql_panel.ts';
import { toggleTheme } from './theme.ts';
import type { EngineList, ListedEngine } from './wire.ts';

// Polling intervals while engines are being read, and while nothing happens.
const kBusyEveryMs = 700;
const kIdleEveryMs = 2000;

const kNothing: EngineList = { places: [], engines: [], left_out: null, is_searching: true };

export class IndexPage {
  readonly node: HTMLElement;
  readonly #api = new Api();
  readonly #search: HTMLInputElement;
  readonly #places = span('engine-facts');
  readonly #tally = span('index-tally');
  readonly #chosenBar = span('chosen-bar');
  readonly #notice = new ProblemList();
  // Shows that the server does not respond.
  #isSilent = false;
  readonly #empty = div('index-empty');
  readonly #table: EngineTable;
  readonly #sql: SqlPanel;
  readonly #overlay = div(
    'drop-overlay',
    div('drop-words', 'Drop the files of one engine or several'),
  );
  #list: EngineList = kNothing;
  #sort: Sort = kDefaultSort;
  #shown: readonly ListedEngine[] = [];
  #chosen: ReadonlySet<string> = new Set();
  #lastChosen: string | null = null;

  constructor() {
    this.#search = el('input', {
      attrs: {
        type: 'search',
        placeholder: 'Search names, places, devices',
        'aria-label': 'Search names, places, devices',
        autocomplete: 'off',
        spellcheck: 'false',
      },
      on: { input: () => this.#changed() },
    });
    const picker = el('input', {
      attrs: { type: 'file', multiple: true, hidden: true, 'aria-label': 'Files of an engine' },
      on: {
        change: () => {
          void this.#open(chosenFiles(picker));
          picker.value = '';
        },
      },
    });
    this.#table = new EngineTable({
      sort: (sort) => {
        this.#sort = sort;
        this.#changed();
      },
      choose: (id, isChosen, isRange) => this.#choose(id, isChosen, isRange),
    });
    this.#sql = new SqlPanel(
      this.#api,
      () => this.#target(),
      () => this.#closeSql(),
    );
    this.node = div(
      'frame',
      el(
        'header',
        { class: 'top-bar' },
        el('h1', { class: 'logo' }, 'planex'),
        this.#places,
        span('grow'),
        div('search', this.#search, el('kbd', {}, '/')),
        button('Open files', 'Files of an engine from anywhere; or drop them on the page', () =>
          picker.click(),
        ),
        picker,
        button('SQL', 'Query the engines (q)', () => this.#toggleSql()),
        el(
          'button',
          {
            class: 'button square',
            attrs: { type: 'button', 'aria-label': 'Light or dark theme', title: 'Theme (t)' },
            on: { click: () => toggleTheme() },
          },
          icon('theme'),
        ),
      ),
      div('filter-row', this.#chosenBar, span('grow'), this.#tally),
      this.#notice.node,
      el('main', { class: 'index-main' }, this.#table.node, this.#empty),
      this.#sql.node,
      this.#overlay,
    );
    this.#notice.node.classList.add('index-notice');
    this.#overlay.hidden = true;
    this.#fromAddress();
    this.#listen();
  }

  start(): void {
    this.#draw();
    void this.#follow();
  }

  // --- answers of the server

  async #follow(): Promise<void> {
    for (;;) {
      if (!document.hidden) await this.#ask();
      const isBusy =
        this.#list.is_searching ||
        this.#list.engines.some((engine) => engine.state === 'waiting' || engine.is_stale);
      await new Promise((resolve) => {
        window.setTimeout(resolve, isBusy ? kBusyEveryMs : kIdleEveryMs);
      });
    }
  }

  async #ask(): Promise<void> {
    try {
      const list = await this.#api.engines();
      if (this.#isSilent) this.#notice.show([]);
      this.#isSilent = false;
      if (list === null) return;
      this.#list = list;
      const ids = new Set(list.engines.map((engine) => engine.id));
      this.#chosen = new Set([...this.#chosen].filter((id) => ids.has(id)));
      this.#draw();
    } catch (error) {
      this.#isSilent = true;
      this.#tell(error, 'planex serve no longer answers. Showing the last known state.');
    }
  }

  // --- what is chosen

  #choose(id: string, isChosen: boolean, isRange: boolean): void {
    const chosen = new Set(this.#chosen);
    const at = this.#shown.findIndex((engine) => engine.id === id);
    const last = this.#shown.findIndex((engine) => engine.id === this.#lastChosen);
    const range =
      isRange && last >= 0
        ? this.#shown.slice(Math.min(at, last), Math.max(at, last) + 1).map((engine) => engine.id)
        : [id];
    for (const one of range) {
      if (isChosen) chosen.add(one);
      else chosen.delete(one);
    }
    this.#chosen = chosen;
    this.#lastChosen = id;
    this.#mark();
  }

  // In the order shown, then those that the search hides.
  #chosenIds(): readonly string[] {
    const shown = this.#shown.map((engine) => engine.id).filter((id) => this.#chosen.has(id));
    return [...shown, ...[...this.#chosen].filter((id) => !shown.includes(id))];
  }

  #target(): SqlTarget {
    const chosen = this.#chosenIds();
    if (chosen.length > 0) {
      const ids = chosen.slice(0, kMaxTogether);
      const all = `the ${plural(chosen.length, 'chosen engine')}`;
      return {
        ids,
        words: ids.length === chosen.length ? all : `the first ${kMaxTogether} chosen`,
      };
    }
    const readable = this.#shown.filter((engine) => engine.state !== 'failed');
    const ids = readable.slice(0, kMaxTogether).map((engine) => engine.id);
    return {
      ids,
      words:
        ids.length === readable.length
          ? `the ${plural(ids.length, 'engine')} shown; tick some to choose`
          : `the first ${kMaxTogether} of ${integer(readable.length)} engines; tick some to choose`,
    };
  }

  // --- what is shown

  #changed(): void {
    this.#toAddress();
    this.#draw();
  }

  #draw(): void {
    const { engines } = this.#list;
    this.#shown = sorted(matching(engines, this.#search.value), this.#sort);
    this.#table.draw({
      shown: this.#shown,
      engines,
      sort: this.#sort,
      nowMs: Date.now(),
      root: this.#list.places.length === 1 ? (this.#list.places[0] ?? null) : null,
    });
    const places = this.#list.places.map(visible).join(', ');
    this.#places.textContent = places === '.' ? 'this folder' : places;
    this.#places.title = places;
    this.#drawTally();
    this.#drawEmpty();
    this.#mark();
  }

  #mark(): void {
    this.#table.mark(this.#chosen);
    this.#drawChosen();
    this.#sql.update();
  }

  #drawTally(): void {
    const { engines, left_out, is_searching } = this.#list;
    const failed = engines.filter((engine) => engine.state === 'failed').length;
    const waiting = engines.filter((engine) => engine.state === 'waiting').length;
    const count = plural(engines.length, 'engine');
    const isAll = this.#shown.length === engines.length;
    this.#tally.textContent = joined(
      [
        isAll ? count : `${integer(this.#shown.length)} of ${count}`,
        failed > 0 && `${integer(failed)} can’t be read`,
        waiting > 0 && `${integer(waiting)} to be read`,
        is_searching && 'looking for more',
        left_out,
      ],
      ' · ',
    );
  }

  #drawChosen(): void {
    const ids = this.#chosenIds();
    if (ids.length === 0) {
      replace(
        this.#chosenBar,
        span('dim', 'Click a name to open its report; tick two or more to compare them.'),
      );
      return;
    }
    const isTooMany = ids.length > kMaxTogether;
    const parts: Child[] = [
      isTooMany
        ? span('button off', `Compare at most ${kMaxTogether}`)
        : el(
            'a',
            { class: 'button on', attrs: { href: reportAddress(ids) } },
            ids.length === 1 ? 'Open report' : `Compare ${integer(ids.length)}`,
          ),
      button('Clear', 'Escape', () => this.#clear()),
      span('', `${plural(ids.length, 'engine')} chosen`),
    ];
    if (ids.length > 1) parts.push(span('dim', '· compared with the first as shown'));
    replace(this.#chosenBar, ...parts);
  }

  #drawEmpty(): void {
    const { engines, is_searching } = this.#list;
    this.#empty.hidden = this.#shown.length > 0;
    if (this.#shown.length > 0) return;
    if (engines.length > 0) {
      replace(this.#empty, el('p', {}, 'No matches in name, place or device.'));
    } else if (is_searching) {
      replace(this.#empty, el('p', {}, 'Looking for engines …'));
    } else {
      replace(
        this.#empty,
        el('p', {}, el('b', {}, 'No engines yet.')),
        el(
          'p',
          {},
          'An engine is a layer file, a log, a trace, an archive or a folder that contains one of these. ' +
            'New ones appear automatically; files from elsewhere can be dropped on this page.',
        ),
        el(
          'p',
          { class: 'code-text' },
          'planex process MODEL.onnx -o RUN    creates one; planex doctor RUN    lists what is missing',
        ),
      );
    }
  }

  #say(message: string): void {
    this.#isSilent = false;
    this.#notice.show([{ ...kNoProblem, message }]);
  }

  // `otherwise`: the message if the error is not the server's.
  #tell(error: unknown, otherwise: string): void {
    if (error instanceof ServerError) this.#notice.show([problemIn(error)]);
    else this.#notice.show([{ ...kNoProblem, message: otherwise }]);
  }

  #clear(): void {
    this.#chosen = new Set();
    this.#mark();
  }

  // --- SQL

  #toggleSql(): void {
    if (this.#sql.node.hidden) this.#sql.show();
    else this.#closeSql();
  }

  #closeSql(): void {
    this.#sql.node.hidden = true;
  }

  // --- files

  async #open(files: readonly OpenedFile[]): Promise<void> {
    const why = objection(files);
    if (why !== null) return this.#say(why);
    this.#say(`Reading ${plural(files.length, 'file')} …`);
    try {
      const ids = await this.#api.open(files);
      this.#notice.show([]);
      if (ids.length <= kMaxTogether) {
        window.location.assign(reportAddress(ids));
        return;
      }
      this.#chosen = new Set(ids);
      await this.#ask();
    } catch (error) {
      this.#tell(error, 'The files could not be sent.');
    }
  }

  #listen(): void {
    acceptDrops(
      this.#overlay,
      kMaxFiles,
      (files) => void this.#open(files),
      () => this.#say('The files could not be read.'),
    );
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#ask();
    });
    window.addEventListener('hashchange', () => {
      this.#fromAddress();
      this.#draw();
    });
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping =
      event.target instanceof HTMLElement &&
      event.target.matches('input:not([type=checkbox]), textarea, select');
    if (event.key === 'Escape') {
      if (!this.#sql.node.hidden) this.#closeSql();
      else if (event.target === this.#search) this.#search.blur();
      else this.#clear();
      return;
    }
    if (isTyping) return;
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => this.#search.focus(),
      q: () => this.#toggleSql(),
      t: () => toggleTheme(),
      j: () => this.#table.walk(1),
      k: () => this.#table.walk(-1),
      x: () => {
        const id = this.#table.focused();
        if (id !== null) this.#choose(id, !this.#chosen.has(id), false);
      },
      Enter: () => {
        const id = this.#table.focused();
        if (id !== null && !(event.target instanceof HTMLAnchorElement)) {
          window.location.assign(reportAddress([id]));
        }
      },
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    const isOwn = event.target instanceof HTMLElement && event.target.matches('button, a, summary');
    if (event.key === 'Enter' && isOwn) return;
    event.preventDefault();
    action();
  }

  // --- the address: the search text and the order

  #fromAddress(): void {
    const state = new URLSearchParams(window.location.hash.slice(1));
    this.#search.value = state.get('q') ?? '';
    this.#sort = orderOf(state.get('sort'));
  }

  #toAddress(): void {
    const state = new URLSearchParams();
    if (this.#search.value !== '') state.set('q', this.#search.value);
    const sort = sortText(this.#sort) ?? '';
    if (sort !== sortText(kDefaultSort)) state.set('sort', sort);
    const hash = state.toString();
    window.history.replaceState(null, '', hash === '' ? window.location.pathname : `#${hash}`);
  }
}
