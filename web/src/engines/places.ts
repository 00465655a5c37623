// Where dropped files are for the core: each as if the program ran in the folder above the dropped
// one. Files from different drops never share a folder.

import type { PlacedFile } from '../core/protocol.ts';
import type { OpenedFile } from '../public/page/opener.ts';

const kLoose = 'files';

export interface Place {
  // A name in the top folder, a file's or a folder's.
  readonly root: string;
  readonly files: readonly PlacedFile[];
  // A folder of folders can contain several engines.
  readonly isNested: boolean;
}

// Names that would leave the folder are rejected; files that a system hides do not belong to an
// engine.
function stepsOf(name: string): readonly string[] {
  return name.split('/').filter((step) => step !== '' && step !== '.' && step !== '..');
}

function freeName(name: string, isTaken: (root: string) => boolean): string {
  if (!isTaken(name)) return name;
  // Inserted before the extension, which identifies the kind of file.
  const dot = name.indexOf('.', 1);
  const [stem, ending] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  for (let count = 2; ; count += 1) {
    const other = `${stem}-${String(count)}${ending}`;
    if (!isTaken(other)) return other;
  }
}

export function placesOf(
  files: readonly OpenedFile[],
  isTaken: (root: string) => boolean,
): readonly Place[] {
  const folders = new Map<string, { steps: readonly string[]; content: Blob }[]>();
  const loose: { name: string; content: Blob }[] = [];
  for (const { name, content } of files) {
    const [first, ...rest] = stepsOf(name);
    if (first === undefined || first.startsWith('.')) continue;
    if (rest.length === 0) {
      loose.push({ name: first, content });
    } else if (!rest.some((step) => step.startsWith('.'))) {
      const list = folders.get(first) ?? [];
      folders.set(first, list);
      list.push({ steps: rest, content });
    }
  }
  const names = new Set<string>();
  const newName = (wanted: string): string => {
    const name = freeName(wanted, (root) => names.has(root) || isTaken(root));
    names.add(name);
    return name;
  };
  const places = [...folders].map(([name, list]): Place => {
    const root = newName(name);
    return {
      root,
      files: list.map(({ steps, content }) => ({ path: [root, ...steps].join('/'), content })),
      isNested: list.some(({ steps }) => steps.length > 1),
    };
  });
  const [only] = loose;
  if (only !== undefined && loose.length === 1) {
    const root = newName(only.name);
    places.push({ root, files: [{ path: root, content: only.content }], isNested: false });
  } else if (loose.length > 1) {
    // Files of one drop belong together.
    const root = newName(kLoose);
    const placed = loose.map(({ name, content }) => ({ path: `${root}/${name}`, content }));
    places.push({ root, files: placed, isNested: false });
  }
  return places;
}
