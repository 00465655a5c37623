// The explorer: a report page that reads engines itself. It starts with nothing open.

import '../style/base.css';

import { messageOf } from '../base/text.ts';
import { CoreClient, type WorkerLike } from '../core/client.ts';
import CoreWorker from '../core/worker.ts?worker&inline';
import { Opening } from '../frame/opening.ts';
import type { Frame } from '../frame/index.ts';
import type { Opened, OpenedFile } from '../public/page/opener.ts';
import { showReport } from '../report_page.ts';
import { offerConsole } from '../engines/console.ts';
import { OpenEngines } from '../engines/open_engines.ts';
import { coreModule, fetched, filesOf, kIsServed, type Example } from './given.ts';
import { OpenDialog, startScreen } from './start_screen.ts';

class Explorer {
  readonly #engines: OpenEngines;
  readonly #opening: Opening;
  readonly #start: HTMLElement;
  readonly #dialog: OpenDialog;
  #frame: Frame | null = null;

  constructor(client: CoreClient) {
    this.#engines = new OpenEngines(client);
    this.#opening = new Opening(this.#engines, (opened) => this.#show(opened));
    const tryExample = (example: Example): void => void this.#try(example);
    this.#start = startScreen(this.#opening, tryExample);
    this.#dialog = new OpenDialog(this.#opening, tryExample);
    document.body.append(this.#start, ...this.#opening.nodes, this.#dialog.node);
    offerConsole(client, this.#engines);
  }

  async #try(example: Example): Promise<void> {
    try {
      await this.#opening.open(await filesOf(example));
    } catch (error) {
      this.#opening.tell(example.name, messageOf(error));
    }
  }

  #show(opened: Opened): void {
    const { report } = opened;
    this.#dialog.node.close();
    if (report === null) {
      // The last engine was closed: back to the start screen.
      if (this.#frame !== null) window.location.replace(window.location.pathname);
      return;
    }
    if (this.#frame !== null) {
      this.#frame.show(opened);
      return;
    }
    this.#start.remove();
    this.#frame = showReport(report, {
      open: (files) => void this.#opening.open(files),
      core: this.#engines,
      judge: (wanted) => this.#opening.judge(wanted),
      engines: {
        add: () => this.#dialog.node.showModal(),
        close: (engine) => void this.#opening.remove(engine),
      },
    });
  }

  // ?url=run.planex: files of the server that the page came from.
  async openLinked(addresses: readonly string[]): Promise<void> {
    const files: OpenedFile[] = [];
    for (const address of addresses) {
      const url = new URL(address, window.location.href);
      if (url.origin !== window.location.origin) {
        this.#opening.tell(
          address,
          'is on another server',
          'The page can read only from its own server.',
        );
        return;
      }
      try {
        const name = decodeURIComponent(url.pathname.split('/').pop() ?? '');
        files.push({ name, content: await (await fetched(url.href)).blob() });
      } catch (error) {
        this.#opening.tell(address, messageOf(error));
        return;
      }
    }
    await this.#opening.open(files);
  }
}

const client = new CoreClient({
  module: coreModule,
  newWorker: (): WorkerLike => new CoreWorker(),
});
const explorer = new Explorer(client);
client.warmUp();
if (kIsServed) {
  const linked = new URLSearchParams(window.location.search).getAll('url');
  if (linked.length > 0) void explorer.openLinked(linked);
  // Insecure contexts have none: pages from disk, and plain HTTP from another machine.
  if ('serviceWorker' in navigator && window.isSecureContext) {
    navigator.serviceWorker.register('sw.js').catch((error: unknown) => console.warn(error));
  }
}
