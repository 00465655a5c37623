// How much can be sent to the server at once.

import type { OpenedFile } from '../public/page/opener.ts';

// The server's limits (src/serve/dropped_files.h), checked here so that no upload is wasted.
export const kMaxFiles = 2000;
export const kMaxBytes = 256 * 2 ** 20;

// Why the files can't be sent; null: they can.
export function objection(files: readonly OpenedFile[]): string | null {
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
