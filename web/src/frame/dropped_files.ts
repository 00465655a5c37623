// Files that are dropped on the page or chosen, with the folders they came in.

import type { OpenedFile } from '../public/page/opener.ts';
import './opening.css';

function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

// Call this before the drop event ends; the promise it returns can be awaited later.
function filesOf(transfer: DataTransfer, most: number): Promise<readonly OpenedFile[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const plain = [...transfer.files].map((file) => ({ name: file.name, content: file }));
  return entries.length === 0 ? Promise.resolve(plain) : walk(entries, most);
}

// At most one file more than `most`.
async function walk(
  entries: readonly FileSystemEntry[],
  most: number,
): Promise<readonly OpenedFile[]> {
  const files: OpenedFile[] = [];
  const queue = [...entries];
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
    if (entry.isFile) {
      const content = await fileOf(entry as FileSystemFileEntry);
      files.push({ name: entry.fullPath.replace(/^\/+/, ''), content });
    } else if (!entry.name.startsWith('.')) {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      // A folder is listed in batches, the last of which is empty.
      for (let some = await entriesOf(reader); some.length > 0; some = await entriesOf(reader)) {
        queue.push(...some);
      }
    }
    if (files.length > most) break;
  }
  return files;
}

// Files can be dropped anywhere on the page, which shows the overlay meanwhile. `take` gets at most
// one file more than `most`.
export function acceptDrops(
  overlay: HTMLElement,
  most: number,
  take: (files: readonly OpenedFile[]) => void,
  failed: () => void,
): void {
  const holdsFiles = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes('Files') === true;
  window.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    overlay.hidden = false;
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
  window.addEventListener('drop', (event) => {
    overlay.hidden = true;
    if (event.dataTransfer === null || !holdsFiles(event)) return;
    event.preventDefault();
    filesOf(event.dataTransfer, most).then(take, failed);
  });
}

// Files chosen in a dialog; for a folder, with its name.
export function chosenFiles(input: HTMLInputElement): readonly OpenedFile[] {
  return [...(input.files ?? [])].map((file) => ({
    name: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    content: file,
  }));
}
