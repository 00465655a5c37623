import './style/base.css';

import { el } from './base/dom.ts';
import { messageOf } from './base/text.ts';
import type { Frame } from './frame/index.ts';
import { CoreClient, type WorkerLike } from './core/client.ts';
import CoreWorker from './core/worker.ts?worker&inline';
import { Carried } from './engines/carried.ts';
import { offerConsole } from './engines/console.ts';
import { givenFiles } from './engines/judging.ts';
import { OpenEngines } from './engines/open_engines.ts';
import { Opening } from './frame/opening.ts';
import { ReportOpener } from './frame/report_files.ts';
import { readBlob } from './model/blob.ts';
import { decodeReport, type Report } from './model/decode.ts';
import type { Opener } from './public/page/opener.ts';
import { showReport } from './report_page.ts';

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    window.setTimeout(resolve);
  });
}

// A report with an embedded core can open everything that planex reads; one without only other
// reports.
async function openerOf(report: Report): Promise<Opener> {
  const carried = Carried.in(document);
  if (carried === null) return new ReportOpener(report);
  const request = await carried.request();
  const client = new CoreClient({
    module: async () => {
      client.add(await carried.files());
      return carried.module();
    },
    newWorker: (): WorkerLike => new CoreWorker(),
  });
  const engines = new OpenEngines(client, {
    report,
    engines: request.engines,
    ...(await givenFiles(request.report, (path) => carried.text(path))),
  });
  offerConsole(client, engines);
  return engines;
}

async function main(): Promise<void> {
  const still = document.getElementById('static');
  try {
    const data = await readBlob(document.getElementById('planex-data'));
    // Content that needs no scripts stays usable between two long tasks.
    await nextTask();
    const report = decodeReport(data);
    // The compressed text is no longer needed and takes most of the page's memory.
    document.getElementById('planex-data')?.remove();
    await nextTask();
    const opener = await openerOf(report);
    const opening = new Opening(opener, (opened) => frame.show(opened));
    const { core } = opener;
    const frame: Frame = showReport(report, {
      open: (files) => void opening.open(files),
      core,
      judge: core === null ? null : (wanted) => opening.judge(wanted),
      engines: null,
    });
    document.body.append(...opening.nodes);
    still?.remove();
  } catch (error) {
    // The text that the writer put there stays; the reason goes above it.
    const message = messageOf(error);
    (still ?? document.body).prepend(
      el(
        'p',
        { class: 'static-error', attrs: { role: 'alert' } },
        `This report cannot be shown: ${message}`,
      ),
    );
    console.error(error);
  }
}

void main();
