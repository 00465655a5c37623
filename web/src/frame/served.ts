// What a report does if `planex serve` sent it and says so in its head: link back to the index, and
// watch whether the files still match. When they change and can be read, the page reloads; its
// selection and filter are in its address.

import { el, span } from '../base/dom.ts';
import { asChoice, asObject, asText, type Json } from '../model/json_value.ts';

const kEveryMs = 2000;

function said(name: string): string | null {
  return document.querySelector(`meta[name=${name}]`)?.getAttribute('content') ?? null;
}

export type Step = 'reload' | 'same' | 'changed' | 'failed' | 'gone' | 'silent';

// What an answer to GET /api/version (planex.page-version/1) means for a page of this version.
export function stepOf(status: number, answer: Json, version: string): Step {
  if (status === 404) return 'gone';
  const { schema, version: now, state } = asObject(answer);
  if (status !== 200 || schema !== 'planex.page-version/1' || asText(now) === null) return 'silent';
  if (now === version) return 'same';
  switch (asChoice(state, ['waiting', 'ready', 'failed'] as const, 'waiting')) {
    case 'waiting':
      return 'changed';
    case 'failed':
      return 'failed';
    case 'ready':
      return 'reload';
  }
}

const kWords: Readonly<Record<Exclude<Step, 'reload'>, readonly [string, string]>> = {
  same: ['', ''],
  changed: ['files changed …', 'The report updates once they have been read.'],
  failed: [
    'files changed and can’t be read',
    'Showing the previous version; the index says what is wrong with the files.',
  ],
  gone: ['files are gone', 'Showing the previous version; this engine is no longer served.'],
  silent: ['planex serve has stopped', 'Showing the last version; it no longer updates.'],
};

async function ask(version: string): Promise<Step> {
  try {
    const response = await fetch(`/api/version${window.location.search}`, { cache: 'no-store' });
    const answer = response.ok ? ((await response.json()) as Json) : null;
    return stepOf(response.status, answer, version);
  } catch {
    return 'silent';
  }
}

// Null: the page was opened from disk, or another server sent it.
export function servedLinks(): HTMLElement | null {
  if (window.location.protocol !== 'http:' || said('planex-index') !== '/') return null;
  const state = span('served-state');
  state.setAttribute('role', 'status');
  const version = said('planex-version');
  let isAsking = false;
  const follow = async (): Promise<void> => {
    if (version === null || document.hidden || isAsking) return;
    isAsking = true;
    const step = await ask(version);
    isAsking = false;
    if (step === 'reload') return window.location.reload();
    [state.textContent, state.title] = kWords[step];
  };
  window.setInterval(() => void follow(), kEveryMs);
  document.addEventListener('visibilitychange', () => void follow());
  return span(
    'served',
    el('a', { class: 'link index-link', attrs: { href: '/' } }, '‹ all engines'),
    state,
  );
}
