// Judging settings among dropped files, recognized by the schema they name. Files in folders belong
// to their engine; the program does not use those without being asked, either.

import { asObject, asText, type Json } from './json_value.ts';
import { kFileKinds, type FileKind, type JudgingFiles } from './judging.ts';
import { broughtWaivers } from './waivers.ts';

interface Dropped {
  readonly name: string;
  readonly content: Blob;
}

// Files whose schema is not at their beginning are read whole, unless they are larger than this.
const kMaxWholeBytes = 1e6;
const kHeadBytes = 400;
// Larger files are not settings, or a page cannot hold them.
const kMaxBytes = 100e6;
const kBeginning = /^\s*\{\s*"schema"\s*:\s*"([^"]*)"/;

async function schemaOf(content: Blob): Promise<string> {
  const head = kBeginning.exec(await content.slice(0, kHeadBytes).text());
  if (head !== null) return head[1] ?? '';
  if (content.size > kMaxWholeBytes) return '';
  try {
    const json = JSON.parse(await content.text()) as Json;
    return asText(asObject(json).schema) ?? '';
  } catch {
    return '';
  }
}

async function kindOf({ name, content }: Dropped): Promise<FileKind | null> {
  if (!/^[^/]+\.json$/i.test(name) || content.size > kMaxBytes) return null;
  const schema = await schemaOf(content);
  // Any version: the core decides which ones it reads.
  return kFileKinds.find((kind) => schema.startsWith(`planex.${kind}/`)) ?? null;
}

// `before`: the files in use until now. The last one of a kind replaces the others.
export async function judgingFilesAmong<File extends Dropped>(
  files: readonly File[],
  before: JudgingFiles,
): Promise<{
  readonly files: JudgingFiles;
  readonly names: readonly string[];
  readonly others: readonly File[];
}> {
  const found: { -readonly [Kind in FileKind]: JudgingFiles[Kind] } = { ...before };
  const names: string[] = [];
  const others: File[] = [];
  for (const file of files) {
    const kind = await kindOf(file);
    if (kind === null) {
      others.push(file);
      continue;
    }
    const { name } = file;
    const text = await file.content.text();
    names.push(name);
    if (kind === 'waivers') found.waivers = broughtWaivers(name, text, before.waivers);
    else found[kind] = { name, text };
  }
  return { files: found, names, others };
}
