// Light or dark: as the system has it, unless the reader chose. The choice is the report's, too.

const kThemeKey = 'planex.theme';

function stored(): string | null {
  try {
    const theme = window.localStorage.getItem(kThemeKey);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}

export function applyTheme(): void {
  const theme = stored();
  if (theme !== null) document.documentElement.setAttribute('data-theme', theme);
}

export function toggleTheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const shown = document.documentElement.getAttribute('data-theme') ?? system;
  const theme = shown === 'dark' ? 'light' : 'dark';
  document.documentElement.setAttribute('data-theme', theme);
  try {
    window.localStorage.setItem(kThemeKey, theme);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}
