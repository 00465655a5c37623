// The engines that are open, and their report. The core decides which engines a set of files has,
// what they contain and what is wrong with them.

import type { CoreClient } from '../core/client.ts';
import {
  CoreError,
  failureOf,
  type Failure,
  type Option,
  type Progress,
  type SessionSpec,
} from '../core/protocol.ts';
import { queryTables, rowsOf, sizedTables } from '../core/tables.ts';
import { decodeComparison, type Comparison } from '../model/comparison.ts';
import { reportsAmong } from '../frame/report_files.ts';
import { decodeReport, type Report } from '../model/decode.ts';
import type { Engine } from '../model/engine.ts';
import { shellWord } from '../model/layers_command.ts';
import { asNumber, asObject, asText, type Json } from '../model/json_value.ts';
import {
  hasSameFiles,
  kAsItWas,
  withFiles,
  type Judging,
  type JudgingFiles,
} from '../model/judging.ts';
import { judgingFilesAmong } from '../model/judging_files.ts';
import type { QueryRows, QueryTable, SizedTable } from '../model/query_rows.ts';
import {
  kNoProblem,
  type Asked,
  type CoreOpener,
  type FoundEngine,
  type Opened,
  type OpenedFile,
  type Opener,
  type Problem,
} from '../public/page/opener.ts';
import { deviceNames } from './devices.ts';
import { coreOptions, kJudgingRoot, placedFiles, plainCommand, withoutPlaces } from './judging.ts';
import { placesOf, type Place } from './places.ts';

// If the files are larger than this in total, the overview is shown first: the rest takes too long
// to keep the page empty.
const kMaxBytesAtOnce = 15e6;
// More engines than this are opened only on request.
const kMaxUnasked = 4;
const kMaxTogether = 12;
// Of the module's maximum of 4 GB. A statement that needs too much fails by itself.
const kMaxQueryBytes = String(1 << 30);

interface OpenEngine {
  readonly spec: SessionSpec;
  readonly root: string;
  // As first read, if the core only has what a report embeds.
  readonly first: Engine | null;
}

// What is open from the start: a report, and how the core reads its engines again.
export interface Given {
  readonly report: Report;
  readonly engines: readonly (readonly Option[])[];
  // The report's options, except its files.
  readonly options: readonly Option[];
  readonly files: JudgingFiles;
}

interface Found {
  readonly engines: readonly OpenEngine[];
  readonly problems: readonly Problem[];
}

export class OpenEngines implements Opener, CoreOpener {
  readonly core = this;
  readonly #client: CoreClient;
  #engines: readonly OpenEngine[] = [];
  // Engines of dropped reports: the core does not have them.
  #foreign: readonly Engine[] = [];
  #report: Report | null = null;
  // The report's options, except its files.
  #options: readonly Option[] = [];
  #judging: Judging = kAsItWas;
  // One change at a time.
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: CoreClient, given: Given | null = null) {
    this.#client = client;
    if (given === null) return;
    const { report, engines, options, files } = given;
    this.#report = report;
    this.#options = options;
    this.#setJudging({ ...kAsItWas, files });
    this.#engines = engines.map((own, i) => {
      const path = pathOf(own);
      const root = path.split('/', 1)[0] ?? '';
      return {
        spec: { key: path, options: own, roots: [root] },
        root,
        first: report.engines[i] ?? null,
      };
    });
  }

  open(files: readonly OpenedFile[], asked: Asked): Promise<Opened> {
    return this.#inOrder(() => this.#openAndJudge(files, asked));
  }

  remove(engine: number, asked: Asked): Promise<Opened> {
    return this.#inOrder(async () => {
      const kept = this.#engines.filter((_, i) => i !== engine);
      const foreign = this.#foreign.filter((_, i) => this.#engines.length + i !== engine);
      const before = [...this.#engines, ...this.#foreign].flatMap((_, i) =>
        i === engine ? [] : [i],
      );
      const removed = this.#engines[engine];
      const report = await this.#reportOf(kept, foreign, this.#report, asked);
      this.#settle(kept, foreign, report);
      if (removed !== undefined) this.#forget([removed], kept);
      return { report, before, problems: [] };
    });
  }

  async compare(a: number, b: number): Promise<Comparison> {
    const specs = this.#specsOf([a, b]);
    if (specs.length < 2) throw new Error('only engines read on this page can be matched');
    const json = await this.#document(specs, 'report', null);
    const comparison = decodeComparison(asObject(json).comparison, this.#report?.engines ?? [], [
      a,
      b,
    ]);
    if (comparison === null) throw new Error('the core did not compare them');
    return comparison;
  }

  get engineCount(): number {
    return this.#engines.length;
  }

  query(sql: string, maxRows: number, signal: AbortSignal): Promise<QueryRows> {
    const options: readonly Option[] = [
      ['max-rows', String(maxRows)],
      ['max-memory-bytes', kMaxQueryBytes],
    ];
    return this.#client.query(this.specs, sql, options, { signal });
  }

  tables(signal: AbortSignal): Promise<readonly QueryTable[]> {
    return queryTables(this.#client, this.specs, signal);
  }

  async export(engines: readonly number[], options: readonly Option[]): Promise<Blob> {
    return new Blob([await this.#client.call(this.#specsOf(engines), 'export', options)]);
  }

  exportTables(engine: number): Promise<readonly SizedTable[]> {
    return sizedTables(this.#client, this.#specsOf([engine]));
  }

  #specsOf(engines: readonly number[]): readonly SessionSpec[] {
    return engines.flatMap((i) => this.#engines[i]?.spec ?? []);
  }

  // --- How they are judged

  get judging(): Judging {
    return this.#judging;
  }

  get devices(): readonly string[] {
    return deviceNames(this.#judging.files);
  }

  get givenDevice(): string | null {
    return this.#options.find(([name]) => name === 'device')?.[1] ?? null;
  }

  judge(wanted: Judging, asked: Asked): Promise<Opened> {
    return this.#inOrder(() => this.#judged(wanted, () => this.#again([], asked)));
  }

  // Files with judging settings do not belong to an engine.
  async #openAndJudge(files: readonly OpenedFile[], asked: Asked): Promise<Opened> {
    const { files: own, names, others } = await judgingFilesAmong(files, this.#judging.files);
    if (names.length === 0) return this.#open(files, asked);
    const before = this.#judging;
    return this.#judged(withFiles(before, own), async () => {
      const shown = this.#report;
      const opened = others.length === 0 ? null : await this.#open(others, asked);
      if (this.#engines.length > 0) {
        const isNew = opened !== null && opened.report !== shown;
        return isNew ? opened : this.#again(opened?.problems ?? [], asked);
      }
      this.#setJudging(before);
      const message = 'no engine is open that this file could apply to';
      const hint = 'Drop it together with the files of an engine, or open an engine first.';
      const unused = names.map((what) => ({ ...kNoProblem, what, message, hint }));
      const problems = [...(opened?.problems ?? []), ...unused];
      return { ...(opened ?? { report: shown, before: this.#places }), problems };
    });
  }

  // The report of what is open.
  async #again(problems: readonly Problem[], asked: Asked): Promise<Opened> {
    const report = await this.#reportOf(this.#engines, this.#foreign, this.#report, asked);
    this.#settle(this.#engines, this.#foreign, report);
    return { report, before: this.#places, problems };
  }

  // Each engine at its place.
  get #places(): readonly number[] {
    return [...this.#engines, ...this.#foreign].map((_, i) => i);
  }

  // `make` uses these settings; if it succeeds, everything later does too.
  async #judged(wanted: Judging, make: () => Promise<Opened>): Promise<Opened> {
    const before = this.#judging;
    this.#setJudging(wanted);
    try {
      return await make();
    } catch (error) {
      this.#setJudging(before);
      throw withoutPlaces(error);
    }
  }

  #setJudging(judging: Judging): void {
    const isSame = hasSameFiles(judging, this.#judging);
    this.#judging = judging;
    if (isSame) return;
    this.#client.remove([kJudgingRoot], []);
    this.#client.add(placedFiles(judging.files));
  }

  get specs(): readonly SessionSpec[] {
    return this.#engines.map(({ spec }) => spec);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  #settle(engines: readonly OpenEngine[], foreign: readonly Engine[], report: Report | null): void {
    this.#engines = engines;
    this.#foreign = foreign;
    this.#report = report;
  }

  async #open(files: readonly OpenedFile[], asked: Asked): Promise<Opened> {
    const { reports, others, problems } = await reportsAmong(files, this.#ids());
    const places = placesOf(others, (root) => this.#client.has(root));
    const found: OpenEngine[] = [];
    try {
      for (const place of places) {
        this.#client.add(place.files);
        const { engines, problems: own } = await this.#engineOf(place, asked);
        found.push(...engines);
        problems.push(...own);
      }
    } catch (error) {
      this.#forgetPlaces(places, found);
      throw error;
    }
    const engines = [...this.#engines, ...found];
    const foreign = [...this.#foreign, ...reports.flatMap((report) => report.engines)];
    const before = [
      ...this.#engines.map((_, i) => i),
      ...found.map(() => null),
      ...this.#foreign.map((_, i) => this.#engines.length + i),
      ...reports.flatMap((report) => report.engines.map(() => null)),
    ];
    if (found.length === 0 && reports.length === 0) {
      this.#forgetPlaces(places, []);
      if (problems.length === 0) problems.push(problemOf('', nothingThere(files)));
      return { report: this.#report, before: this.#places, problems };
    }
    const base = this.#report ?? reports[0] ?? null;
    try {
      // The overview of large engines is committed at once: the rest can be stopped.
      const isLarge = found.length > 0 && sizeOf(places) > kMaxBytesAtOnce;
      if (isLarge) {
        const early = await this.#reportOf(engines, foreign, base, asked, [['overview', 'true']]);
        this.#settle(engines, foreign, early);
        asked.early({ report: early, before, problems });
      }
      const report = await this.#reportOf(engines, foreign, base, asked);
      this.#settle(engines, foreign, report);
      this.#forgetPlaces(places, found);
      return { report, before: isLarge ? this.#places : before, problems };
    } catch (error) {
      // What is on screen stays as it is.
      if (this.#engines !== engines) {
        this.#forgetPlaces(places, []);
        this.#client.remove(
          [],
          found.map(({ spec }) => spec.key),
        );
      }
      throw error;
    }
  }

  // Places from which no engine was opened.
  #forgetPlaces(places: readonly Place[], opened: readonly OpenEngine[]): void {
    const used = new Set(opened.map(({ root }) => root));
    const roots = places.map(({ root }) => root).filter((root) => !used.has(root));
    if (roots.length > 0) this.#client.remove(roots, []);
  }

  #forget(removed: readonly OpenEngine[], kept: readonly OpenEngine[]): void {
    const used = new Set(kept.map(({ root }) => root));
    this.#client.remove(
      removed.map(({ root }) => root).filter((root) => !used.has(root)),
      removed.map(({ spec }) => spec.key),
    );
  }

  #ids(): readonly string[] {
    return this.#report?.engines.map(({ id }) => id) ?? [];
  }

  // --- What a place contains

  async #engineOf(place: Place, asked: Asked): Promise<Found> {
    const alone = engineAt(place.root, place.root);
    let failure: Failure | null = null;
    // One folder of files is usually one engine: don't read it twice then.
    if (!place.isNested) {
      failure = await this.#tryOpen(alone, asked);
      if (failure === null) return { engines: [alone], problems: [] };
      // What crashed the core once would crash it again.
      if (failure.code === 'ended') {
        return { engines: [], problems: [problemOf(place.root, failure)] };
      }
    }
    const { rows, failed } = await this.#list(place.root, asked);
    if (rows.length === 0) {
      failure ??= await this.#tryOpen(alone, asked);
      if (failure === null) return { engines: [alone], problems: [] };
      // The listing reports the same for the place itself.
      const others = failed.filter(({ what }) => what !== place.root);
      return { engines: [], problems: [problemOf(place.root, failure), ...others] };
    }
    const chosen = rows.length <= kMaxUnasked ? rows : await asked.choose(rows, kMaxTogether);
    const engines: OpenEngine[] = [];
    const problems = [...failed];
    for (const { path } of chosen) {
      const engine = engineAt(path, place.root);
      const own = await this.#tryOpen(engine, asked);
      if (own === null) engines.push(engine);
      else problems.push(problemOf(path, own));
    }
    return { engines, problems };
  }

  // Null: it is open.
  async #tryOpen({ spec }: OpenEngine, asked: Asked): Promise<Failure | null> {
    const name = spec.key;
    asked.step({ words: `reading ${name}`, done: null });
    try {
      await this.#client.open(spec, {
        signal: asked.signal,
        onProgress: (progress) => asked.step(readingStep(name, progress)),
      });
      return null;
    } catch (error) {
      return failureIn(error);
    }
  }

  async #list(
    root: string,
    asked: Asked,
  ): Promise<{ rows: readonly FoundEngine[]; failed: readonly Problem[] }> {
    const words = `looking for engines in ${root}`;
    asked.step({ words, done: null });
    let json: Json;
    try {
      const bytes = await this.#client.call([], 'list', [['path', root]], {
        roots: [root],
        signal: asked.signal,
        onProgress: (progress) => asked.step(readingStep(root, progress)),
      });
      json = jsonOf(bytes);
    } catch (error) {
      return { rows: [], failed: [problemOf(root, failureIn(error))] };
    }
    const read: FoundEngine[] = [];
    const failed: Problem[] = [];
    for (const cell of rowsOf(json)) {
      const path = asText(cell('path')) ?? '';
      const error = asText(cell('error'));
      if (error !== null) {
        failed.push({ ...kNoProblem, what: path, message: error });
        continue;
      }
      read.push({
        path,
        producer: asText(cell('engine')) ?? '',
        device: asText(cell('device')),
        latencyMs: asNumber(cell('latency_ms')) ?? asNumber(cell('layers_ms')),
        layerCount: asNumber(cell('layer_count')),
        findingCount: asNumber(cell('finding_count')),
      });
    }
    return { rows: read, failed };
  }

  // --- The report

  async #reportOf(
    engines: readonly OpenEngine[],
    foreign: readonly Engine[],
    base: Report | null,
    asked: Asked,
    options: readonly Option[] = [],
  ): Promise<Report | null> {
    if (engines.length === 0) {
      if (base === null || foreign.length === 0) return null;
      const isWhole =
        foreign.length === base.engines.length &&
        foreign.every((one, i) => one === base.engines[i]);
      return isWhole ? base : { ...base, engines: foreign, comparison: null };
    }
    const count = engines.length;
    asked.step({
      words: count === 1 ? 'making the report' : `comparing ${String(count)} engines`,
      done: null,
    });
    const specs = engines.map(({ spec }) => spec);
    const json = await this.#document(specs, 'report', asked.signal, options);
    const read = decodeReport(
      json,
      foreign.map(({ id }) => id),
    );
    let command = plainCommand(read.command);
    engines.forEach(({ first, spec }, i) => {
      if (first === null) return;
      read.engines[i]?.cameFrom(first);
      command = command?.replace(pathOf(spec.options), shellWord(first.path ?? '')) ?? null;
    });
    const report = { ...read, command };
    return foreign.length === 0
      ? report
      : { ...report, engines: [...report.engines, ...foreign], comparison: null };
  }

  async #document(
    specs: readonly SessionSpec[],
    verb: string,
    signal: AbortSignal | null,
    asked: readonly Option[] = [],
  ): Promise<Json> {
    const judged = coreOptions(this.#judging, this.#options);
    const options: readonly Option[] = [['format', 'json'], ...judged, ...asked];
    return jsonOf(await this.#client.call(specs, verb, options, signal === null ? {} : { signal }));
  }
}

function sizeOf(places: readonly Place[]): number {
  const files = places.flatMap((place) => place.files);
  return files.reduce((sum, { content }) => sum + content.size, 0);
}

function pathOf(options: readonly Option[]): string {
  return options.find(([name]) => name === 'path')?.[1] ?? '';
}

function engineAt(path: string, root: string): OpenEngine {
  return { spec: { key: path, options: [['path', path]], roots: [root] }, root, first: null };
}

function jsonOf(bytes: ArrayBuffer): Json {
  return JSON.parse(new TextDecoder().decode(bytes)) as Json;
}

// A failed request becomes a failure; a cancelled one and any other error are thrown.
function failureIn(error: unknown): Failure {
  if (error instanceof CoreError && error.failure.code !== 'cancelled') return error.failure;
  throw error;
}

function problemOf(what: string, failure: Failure): Problem {
  const { message, file, pointer, context, hint } = failure;
  return { what, message, file, pointer, context, hint };
}

function nothingThere(files: readonly OpenedFile[]): Failure {
  const message = files.length === 0 ? 'no files were dropped' : 'none of these files can be read';
  return failureOf('not-found', message, 'Hidden files and folders are left out.');
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

function readingStep(name: string, progress: Progress): { words: string; done: number | null } {
  const { bytesRead, bytesTotal, filesRead } = progress;
  const files = `${String(filesRead)} ${filesRead === 1 ? 'file' : 'files'}`;
  return {
    words: `reading ${name}: ${files}, ${megabytes(bytesRead)} of ${megabytes(bytesTotal)} MB`,
    done: bytesTotal === 0 ? null : bytesRead / bytesTotal,
  };
}
