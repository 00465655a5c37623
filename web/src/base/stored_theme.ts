// The theme that the reader chose, for every page of planex. A page opened from disk may have no
// storage, or share it with every other such page; both are fine.

import type { ThemeName } from './tokens.ts';

const kThemeKey = 'planex.theme';

export function storedTheme(): ThemeName | null {
  try {
    const theme = window.localStorage.getItem(kThemeKey);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}

export function storeTheme(theme: ThemeName): void {
  document.documentElement.setAttribute('data-theme', theme);
  try {
    window.localStorage.setItem(kThemeKey, theme);
  } catch {
    // The browser stores nothing: the choice lasts as long as the page.
  }
}
