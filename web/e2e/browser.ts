// The browser of the tests: the system's, quiet, and without ways to the network of its own.

export const kChromiumPath = process.env.PLANEX_CHROMIUM ?? '/usr/bin/chromium';

export const kChromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;
