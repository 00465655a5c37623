import './style/base.css';

import { el } from './base/dom.ts';
import { messageOf } from './base/text.ts';
import type { Frame } from './frame/index.ts';
import { Opening } from './frame/opening.ts';
import { ReportOpener } from './frame/report_files.ts';
import { readBlob } from './model/blob.ts';
import { decodeReport } from './model/decode.ts';
import { showReport } from './report_page.ts';

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    window.setTimeout(resolve);
  });
}

async function main(): Promise<void> {
  const still = document.getElementById('static');
  try {
    const data = await readBlob(document.getElementById('planex-data'));
    // What can be read without scripts stays usable between two long tasks.
    await nextTask();
    const report = decodeReport(data);
    // The compressed text is not needed any more and is most of the page's memory.
    document.getElementById('planex-data')?.remove();
    await nextTask();
    const opening = new Opening(new ReportOpener(report), (opened) => frame.show(opened));
    const frame: Frame = showReport(report, {
      open: (files) => void opening.open(files),
      compare: null,
      engines: null,
    });
    document.body.append(...opening.nodes);
    still?.remove();
  } catch (error) {
    // What the writer put there to read stays; the reason goes above it.
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
