// Folding and layout, for views that draw graphs.

export { LayoutClient, type RunLayout } from '../layout/client.ts';
export type { Flat } from '../layout/wasm.ts';
