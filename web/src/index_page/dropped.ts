// Files that are dropped on the page, or chosen: with the folders they came in.

import type { NamedFile } from './api.ts';

// The server's limits (src/serve/dropped_files.h), so that nothing is sent for nothing.
export const kMaxFiles = 2000;
export const kMaxBytes = 256 * 2 ** 20;

function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

// Must be called before the drop event is over; what it returns may be awaited later.
export function filesOf(transfer: DataTransfer): Promise<readonly NamedFile[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const plain = [...transfer.files].map((file) => ({ name: file.name, content: file }));
  return entries.length === 0 ? Promise.resolve(plain) : walk(entries);
}

async function walk(entries: readonly FileSystemEntry[]): Promise<readonly NamedFile[]> {
  const files: NamedFile[] = [];
  const queue = [...entries];
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
    if (entry.isFile) {
      const content = await fileOf(entry as FileSystemFileEntry);
      files.push({ name: entry.fullPath.replace(/^\/+/, ''), content });
    } else if (!entry.name.startsWith('.')) {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      // A folder comes in pieces, the last of which is empty.
      for (let some = await entriesOf(reader); some.length > 0; some = await entriesOf(reader)) {
        queue.push(...some);
      }
    }
    if (files.length > kMaxFiles) break;
  }
  return files;
}

// Why the files can't be sent; null: they can.
export function objection(files: readonly NamedFile[]): string | null {
  if (files.length === 0) return 'No files were dropped.';
  if (files.length > kMaxFiles) return `More than ${kMaxFiles} files: drop only the engine's own.`;
  const bytes = files.reduce((sum, file) => sum + file.content.size, 0);
  if (bytes > kMaxBytes) {
    return (
      `${(bytes / 1e6).toFixed(0)} MB exceed the page's limit (${(kMaxBytes / 1e6).toFixed(0)} MB). ` +
      'Leave out the model, or start planex serve in the folder.'
    );
  }
  return null;
}
