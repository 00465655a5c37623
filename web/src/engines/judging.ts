// The reader's judging settings as the core takes them: files in a folder of their own, which no
// listing returns and no dropped folder is named like, and options that name them.

import { CoreError, type Option, type PlacedFile } from '../core/protocol.ts';
import {
  fileKindOf,
  fileText,
  kFileKinds,
  kNoFiles,
  reportOptions,
  type FileKind,
  type Judging,
  type JudgingFiles,
} from '../model/judging.ts';

export const kJudgingRoot = '.planex-judging';
const kPlace = /\.planex-judging\/[a-z]+\//g;

const placeOf = (kind: FileKind, name: string): string => `${kJudgingRoot}/${kind}/${name}`;

export function placedFiles(files: JudgingFiles): readonly PlacedFile[] {
  return kFileKinds.flatMap((kind) => {
    const file = files[kind];
    const text = fileText(files, kind);
    if (file === null || text === null) return [];
    return [{ path: placeOf(kind, file.name), content: new Blob([text]) }];
  });
}

// Added to the options that the report was made with. Waivers are judged by the date of that
// report, or else, as in the program, by today's date in UTC.
export function coreOptions(judging: Judging, given: readonly Option[]): readonly Option[] {
  const today = given.find(([name]) => name === 'today')?.[1];
  const day = today ?? new Date().toISOString().slice(0, 10);
  return [...given, ...reportOptions(judging, placeOf, day)];
}

// What a report was made with: the files that it embeds, which the reader can remove like others,
// and the other options. `textOf`: the text of an embedded file.
export async function givenFiles(
  options: readonly Option[],
  textOf: (path: string) => Promise<string>,
): Promise<{ readonly files: JudgingFiles; readonly options: readonly Option[] }> {
  const files: { -readonly [Kind in FileKind]: JudgingFiles[Kind] } = { ...kNoFiles };
  const others: Option[] = [];
  for (const option of options) {
    const [name, path] = option;
    const kind = fileKindOf(name);
    if (kind === null) {
      others.push(option);
      continue;
    }
    const file = { name: path.split('/').pop() ?? path, text: await textOf(path) };
    if (kind === 'waivers') files.waivers = { ...file, added: [] };
    else files[kind] = file;
  }
  return { files, options: others };
}

// Files are identified by the names that they were dropped with.
export function withoutPlaces(error: unknown): unknown {
  if (!(error instanceof CoreError)) return error;
  const { failure } = error;
  const plain = (text: string): string => text.replace(kPlace, '');
  return new CoreError({ ...failure, file: plain(failure.file), message: plain(failure.message) });
}

export function plainCommand(command: string | null): string | null {
  return command?.replace(kPlace, '') ?? null;
}
