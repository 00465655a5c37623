// The layout, for views that draw graphs.

export {
  kNoIndex,
  packInput,
  type BoxInput,
  type EdgeInput,
  type FrameInput,
  type LayoutInput,
  type LayoutResult,
} from '../layout/layout.ts';
export { LayoutClient } from '../layout/client.ts';
