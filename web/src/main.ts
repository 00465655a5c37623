import './style/base.css';
import './style/frame.css';
import './style/table.css';
import './style/panel.css';
import './style/overview.css';
import './style/graph.css';
import './style/figure.css';
import './style/sweep.css';
import './style/tactics.css';
import './style/accuracy.css';
import './style/timing.css';
import './style/memory.css';
import './style/findings.css';
import './style/files.css';
import './style/precision.css';
import './style/work.css';
import './style/compare.css';
import './style/print.css';

import { el } from './base/dom.ts';
import { startFrame } from './frame/index.ts';
import { readBlob } from './model/blob.ts';
import { decodeReport } from './model/decode.ts';
import { kViews } from './views/index.ts';

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
    startFrame(
      report,
      kViews.filter((view) => view.isThere?.(report) ?? true),
      document.body,
    );
    still?.remove();
  } catch (error) {
    // What the writer put there to read stays; the reason goes above it.
    const message = error instanceof Error ? error.message : String(error);
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
