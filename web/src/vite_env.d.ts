/// <reference types="vite/client" />

// Written by build/layout_wasm.ts: the layout module, deflate in base64.
declare module 'virtual:planex-layout' {
  const packed: string;
  export default packed;
}

// Written by build/core.ts: the core, deflate in base64; null: it is the file next to the page.
declare module 'virtual:planex-core' {
  const core: { readonly packed: string | null; readonly file: string };
  export default core;
}

// Written by build/examples.ts: engines to try; `packed` as above, by path.
declare module 'virtual:planex-examples' {
  const examples: {
    readonly examples: readonly {
      readonly name: string;
      readonly words: string;
      readonly files: readonly string[];
    }[];
    readonly packed: Readonly<Record<string, string>> | null;
    readonly folder: string;
  };
  export default examples;
}

// Written by build/devices.ts: the names of the core's own table.
declare module 'virtual:planex-devices' {
  const names: readonly string[];
  export default names;
}
