/// <reference types="vite/client" />

// Written by build/layout_wasm.ts: the layout module, deflate in base64.
declare module 'virtual:planex-layout' {
  const packed: string;
  export default packed;
}
