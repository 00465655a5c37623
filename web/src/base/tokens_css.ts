// Writes the tokens as CSS custom properties. Runs at build time, so that the static part of the page
// has its colours before any script.

import { kFamilyColours, kPrecisionColours, kUiColours, type ThemeName } from './tokens.ts';

function properties(theme: ThemeName): string {
  const groups: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['', kUiColours[theme]],
    ['p-', kPrecisionColours[theme]],
    ['t-', kFamilyColours[theme]],
  ];
  const lines = groups.flatMap(([prefix, colours]) =>
    Object.entries(colours).map(([name, value]) => `--${prefix}${name}:${value}`),
  );
  return [`color-scheme:${theme}`, ...lines].join(';');
}

function fills(): string {
  const families = Object.keys(kFamilyColours.light).map((f) => `.f-${f}{--fill:var(--t-${f})}`);
  const precisions = Object.keys(kPrecisionColours.light).map(
    (p) => `.p-${p}{--fill:var(--p-${p})}`,
  );
  return [...families, ...precisions].join('');
}

// Paper is always light; the dark theme comes from the system unless the reader chose one.
export function tokensCss(): string {
  const light = properties('light');
  const dark = properties('dark');
  return (
    `:root{${light}}` +
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
    `@media screen{:root[data-theme=dark]{${dark}}}` +
    fills()
  );
}
