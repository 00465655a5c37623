// The ids of all views, in the order of their tabs; tools/new_view.sh adds one.
export const kViewIds = [
  'sweep',
  'optimize',
  'overview',
  'layers',
  'graph',
  'timing',
  'memory',
  'precision',
  'accuracy',
  'work',
  'tactics',
  'findings',
  'compare',
  'sql',
  'files',
] as const;
