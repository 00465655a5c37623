// Caches the page, its core and its examples in the browser: once opened, the page needs no
// network. build/service_worker.ts inserts the list of files.

declare const BUILD_FILES: readonly string[];
declare const BUILD_VERSION: string;

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface ServiceWorkerScope {
  readonly clients: { claim(): Promise<void> };
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(kind: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(kind: 'fetch', listener: (event: FetchEvent) => void): void;
}

const scope = globalThis as unknown as ServiceWorkerScope;
const kPrefix = 'planex-explorer-';
const kCache = kPrefix + BUILD_VERSION;

// All files of one version, or none: a page and a core that don't match are worse than old ones.
async function install(): Promise<void> {
  const cache = await caches.open(kCache);
  await cache.addAll(BUILD_FILES.map((file) => new Request(file, { cache: 'no-cache' })));
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(kPrefix) && name !== kCache);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(kCache);
  const kept = await cache.match(request, { ignoreSearch: request.mode === 'navigate' });
  return kept ?? fetch(request);
}

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('fetch', (event) => {
  const isOwn = new URL(event.request.url).origin === scope.location.origin;
  if (event.request.method === 'GET' && isOwn) event.respondWith(answer(event.request));
});

export {};
