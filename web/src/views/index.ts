// The views, in the order of their tabs. Each is in the folder of its name, whose index.ts exports
// it as `view`; to add one, add a folder and a line in order.ts (tools/new_view.sh).

import type { View } from '../public/index.ts';
import { kViewIds } from './order.ts';

const kFolders = import.meta.glob<View>('./*/index.ts', { eager: true, import: 'view' });

export const kViews: readonly View[] = kViewIds.map((id) => {
  const view = kFolders[`./${id}/index.ts`];
  if (view === undefined) throw new Error(`views/${id}/index.ts has no view`);
  return view;
});
