// Extracts the data from the page: base64 of a zlib stream, or plain JSON.

import { inflated } from '../base/inflate.ts';
import type { Json } from './json_value.ts';

export async function readBlob(node: HTMLElement | null): Promise<Json> {
  if (node === null) throw new Error('the page contains no data');
  return readText(node.textContent, node.getAttribute('data-encoding') ?? '');
}

// Larger files are not reports.
const kMaxReportBytes = 400e6;
const kHeadBytes = 400;

// A file that the reader dropped: another report, or its data alone (planex report --format json);
// null if it begins as neither does.
export async function readReportFile(content: Blob): Promise<Json | null> {
  const head = await content.slice(0, kHeadBytes).text();
  const isData = /^\s*\{\s*"schema"\s*:\s*"planex\.report\//.test(head);
  const isPage = /^\s*<!doctype html/i.test(head);
  if (!isData && !isPage) return null;
  if (content.size > kMaxReportBytes) throw new Error('too large for a report');
  const text = await content.text();
  if (isData) return JSON.parse(text) as Json;
  // Expects the form that report-data.md describes; anything else is not a report. Not parsed as a
  // page, so that nothing in it is loaded or run.
  const open = / id="planex-data" data-encoding="([a-z0-9-]+)">/;
  const found = open.exec(text);
  const end = found === null ? -1 : text.indexOf('<', found.index + found[0].length);
  if (found === null || end < 0) throw new Error('this file is not a planex report');
  return readText(text.slice(found.index + found[0].length, end), found[1] ?? '');
}

async function readText(text: string, encoding: string): Promise<Json> {
  if (encoding === 'json') return JSON.parse(text) as Json;
  if (encoding !== 'deflate-base64') throw new Error(`unknown data encoding "${encoding}"`);
  return (await inflated(text.trim()).json()) as Json;
}
