// Reports among dropped files; reading them needs no core.

import { messageOf } from '../base/text.ts';
import { readReportFile } from '../model/blob.ts';
import { decodeReport, type Report } from '../model/decode.ts';
import type { Engine } from '../model/engine.ts';
import {
  kNoProblem,
  type Opened,
  type OpenedFile,
  type Opener,
  type Problem,
} from '../public/page/opener.ts';

const kReportName = /\.(html?|json)$/i;

// `taken`: ids of engines that are already on the page.
export async function reportsAmong(
  files: readonly OpenedFile[],
  taken: readonly string[],
): Promise<{
  readonly reports: readonly Report[];
  readonly others: readonly OpenedFile[];
  readonly problems: Problem[];
}> {
  const reports: Report[] = [];
  const others: OpenedFile[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    try {
      const json = kReportName.test(file.name) ? await readReportFile(file.content) : null;
      if (json === null) {
        others.push(file);
        continue;
      }
      const ids = [...taken, ...reports.flatMap(({ engines }) => engines.map(({ id }) => id))];
      reports.push(decodeReport(json, ids));
    } catch (error) {
      const message = messageOf(error);
      problems.push({ ...kNoProblem, what: file.name, message });
    }
  }
  return { reports, others, problems };
}

// The opener of a report without a core: adds the engines of other reports to its own.
export class ReportOpener implements Opener {
  readonly core = null;
  readonly #base: Report;
  #engines: readonly Engine[];

  constructor(report: Report) {
    this.#base = report;
    this.#engines = report.engines;
  }

  async open(files: readonly OpenedFile[]): Promise<Opened> {
    const taken = this.#engines.map(({ id }) => id);
    const { reports, others, problems } = await reportsAmong(files, taken);
    for (const { name } of others) {
      problems.push({
        ...kNoProblem,
        what: name,
        message: 'this file is not a planex report',
        hint: 'A report can open only other reports. To make one from the files of an engine, run: planex report',
      });
    }
    const before = this.#engines.map((_, i) => i);
    const added = reports.flatMap(({ engines }) => engines);
    return this.#show(
      [...this.#engines, ...added],
      [...before, ...added.map(() => null)],
      problems,
    );
  }

  remove(engine: number): Promise<Opened> {
    const before = this.#engines.flatMap((_, i) => (i === engine ? [] : [i]));
    const kept = this.#engines.filter((_, i) => i !== engine);
    return Promise.resolve(this.#show(kept, before, []));
  }

  #show(
    engines: readonly Engine[],
    before: readonly (number | null)[],
    problems: readonly Problem[],
  ): Opened {
    this.#engines = engines;
    const isWhole = engines.length === this.#base.engines.length && before.every((b, i) => b === i);
    const comparison = isWhole ? this.#base.comparison : null;
    return { report: { ...this.#base, engines, comparison }, before, problems };
  }
}
