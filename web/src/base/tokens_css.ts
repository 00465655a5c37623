// Writes the tokens as CSS custom properties. Runs at build time, so that the static part of the page
// has its colours before any script.

import {
  kFamilyColours,
  kHeatColours,
  kPrecisionColours,
  kTrexFamilyColours,
  kTrexPrecisionColours,
  kUiColours,
  type ThemeName,
} from './tokens.ts';

type Colours = Readonly<Record<string, string>>;

function custom(prefix: string, colours: Colours): string {
  const lines = Object.entries(colours).map(([name, value]) => `--${prefix}${name}:${value}`);
  return lines.join(';');
}

function properties(theme: ThemeName): string {
  return [
    `color-scheme:${theme}`,
    custom('', kUiColours[theme]),
    custom('p-', kPrecisionColours[theme]),
    custom('t-', kFamilyColours[theme]),
    custom('h-', Object.fromEntries(kHeatColours[theme].map((colour, i) => [String(i), colour]))),
  ].join(';');
}

function fills(): string {
  const families = Object.keys(kFamilyColours.light).map((f) => `.f-${f}{--fill:var(--t-${f})}`);
  const precisions = Object.keys(kPrecisionColours.light).map(
    (p) => `.p-${p}{--fill:var(--p-${p})}`,
  );
  // Steps 4 and 5 are dark in the light theme and light in the dark one.
  const heat = kHeatColours.light.map(
    (_, i) =>
      `.h-${String(i)}{background:var(--h-${String(i)});color:var(--${i < 4 ? 'ink' : 'bg'})}`,
  );
  return [...families, ...precisions, ...heat].join('');
}

// Paper is always light; the dark theme comes from the system unless the reader chose one.
export function tokensCss(): string {
  const light = properties('light');
  const dark = properties('dark');
  return (
    `:root{${light}}` +
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
    `@media screen{:root[data-theme=dark]{${dark}}}` +
    // As specific as the rules above and after them, so it wins in both themes.
    `:root[data-palette=trex]{${custom('p-', kTrexPrecisionColours)};${custom('t-', kTrexFamilyColours)}}` +
    fills()
  );
}
