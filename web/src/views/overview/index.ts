// Overview: how fast is it, where does the time go, what should I do first?

import {
  conclusionLine,
  div,
  el,
  fitAll,
  integer,
  linkButton,
  metadataBlock,
  needsTable,
  plural,
  producerText,
  replace,
  sectionTitle,
  severitySign,
  span,
  visible,
  type Change,
  type FittedName,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { differenceLine, EngineStacks } from './compare.ts';
import {
  engineFacts,
  findingsTable,
  groupTable,
  missingBlock,
  namesTable,
  slowestLayers,
} from './sections.ts';
import { keyFigures } from './strip.ts';
import { TimeChart } from './time_chart.ts';
import './overview.css';

const kMaxNames = 100;

class Overview implements MountedView {
  readonly #context: ViewContext;
  readonly #host: HTMLElement;
  readonly #chart: TimeChart;
  readonly #engines: EngineStacks | null;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    this.#host = host;
    this.#chart = new TimeChart(context);
    this.#engines = context.store.report.engines.length > 1 ? new EngineStacks(context) : null;
    host.classList.add('overview');
    this.#draw();
  }

  update(change: Change): void {
    const scroll = this.#host.scrollTop;
    if (change.size === 1 && change.has('selected')) this.#mark();
    else this.#draw();
    this.#host.scrollTop = scroll;
  }

  #mark(): void {
    const { selected } = this.#context.store.state;
    for (const row of this.#host.querySelectorAll('tr[data-row]')) {
      row.classList.toggle('selected', row.getAttribute('data-row') === String(selected));
    }
    // The panel took or gave back room.
    this.#chart.draw();
    this.#engines?.draw();
  }

  #draw(): void {
    const context = this.#context;
    const { engine, basis } = context.store;
    const names: FittedName[] = [];
    const extent = engine.extent(basis);
    const drawn = extent.kind !== 'none' && engine.sum(extent.values) > 0;
    const left = drawn
      ? [this.#chartBlock(), slowestLayers(context, names)]
      : engine.layers.rowCount === 0
        ? [metadataBlock(context, true)]
        : [namesTable(context, names, kMaxNames)];
    const right = [
      groupTable(context, 'type'),
      groupTable(context, 'precision'),
      groupTable(context, 'output_precision'),
      findingsTable(context),
      engineFacts(context, producerText(engine)),
      drawn ? null : needsTable(context),
      missingBlock(context),
    ];
    replace(
      this.#host,
      drawn || engine.summary.time.end_to_end !== null
        ? keyFigures(engine, context.palette(), basis)
        : null,
      this.#diagnostics(),
      differenceLine(context),
      conclusionLine(engine.summary.conclusion),
      this.#engines?.node,
      div('columns', div('column', ...left), div('column', ...right)),
    );
    fitAll(names);
    if (drawn) {
      this.#chart.draw();
      this.#explain();
    }
    this.#engines?.draw();
  }

  #diagnostics(): HTMLElement | null {
    const { diagnostics } = this.#context.store.engine.summary;
    if (diagnostics.length === 0) return null;
    const count = diagnostics.reduce((sum, d) => sum + d.count, 0);
    const severity = (s: string): 'error' | 'warning' | 'info' =>
      s === 'error' || s === 'warning' ? s : 'info';
    return el(
      'details',
      { class: 'diagnostics' },
      el('summary', {}, plural(count, 'diagnostic'), span('dim', ' on the files')),
      ...diagnostics.map((d) =>
        div(
          'diagnostic',
          severitySign(severity(d.severity)),
          span('', visible(d.message), ' '),
          span(
            'dim',
            [
              visible(d.code),
              d.count > 1 ? `${integer(d.count)} times` : null,
              d.file === null ? null : visible(d.file),
            ]
              .filter((part) => part !== null)
              .join(' · '),
          ),
        ),
      ),
    );
  }

  readonly #explanation = span('');

  #explain(): void {
    const { engine, basis } = this.#context.store;
    const many = this.#chart.layersPerBar;
    const bars = many > 1 ? `; ${integer(many)} consecutive layers per bar` : '';
    this.#explanation.textContent = `${engine.hasTimes ? `ms, ${basis}` : 'MB'}, in execution order${bars}`;
  }

  #chartBlock(): HTMLElement {
    const { store } = this.#context;
    const title = sectionTitle(
      store.engine.hasTimes ? 'Time per layer' : 'Bytes moved per layer',
      '',
      this.#chart.legend(),
    );
    const actions = span(
      'actions',
      linkButton('table', 'As a table', () => store.patch({ view: 'layers', sort: null })),
      linkButton(
        store.state.names === 'short' ? 'original names' : 'short names',
        'How layers are named in charts, ribbon and neighbors',
        () => store.patch({ names: store.state.names === 'short' ? 'original' : 'short' }),
      ),
      linkButton('CSV', 'Save as CSV', () => this.#save(this.#chart.csv(), 'csv')),
      linkButton('SVG', 'Save as SVG', () => this.#save(this.#chart.svg(), 'svg')),
      linkButton('PNG', 'Save as PNG', () => {
        void this.#chart.png().then((blob) => this.#save(blob, 'png'));
      }),
    );
    this.#explanation.className = 'explain';
    title.firstChild?.after(this.#explanation, actions);
    return div('block', title, this.#chart.node);
  }

  #save(blob: Blob | null, extension: string): void {
    if (blob === null) this.#context.note('the browser could not make the picture');
    else {
      const name = this.#context.store.engineTitle;
      this.#context.download(`${name}.time-per-layer.${extension}`, blob);
    }
  }

  order(): Int32Array {
    return this.#context.store.selection.rows;
  }

  destroy(): void {
    this.#chart.destroy();
    this.#engines?.destroy();
    this.#host.classList.remove('overview');
  }
}

export const view: View = {
  id: 'overview',
  title: 'Overview',
  needs: [],
  isEarly: true,
  mount: (host, context) => new Overview(host, context),
};
