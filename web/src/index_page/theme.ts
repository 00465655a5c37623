// Light or dark: as the system has it, unless the reader chose. Reports use the same choice.

import { storedTheme, storeTheme } from '../base/stored_theme.ts';

export function applyTheme(): void {
  const theme = storedTheme();
  if (theme !== null) document.documentElement.setAttribute('data-theme', theme);
}

export function toggleTheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const shown = document.documentElement.getAttribute('data-theme') ?? system;
  storeTheme(shown === 'dark' ? 'light' : 'dark');
}
