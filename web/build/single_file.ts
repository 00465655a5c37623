// Makes one HTML file of the bundle: style and script inline, with the hashes of both in the
// Content-Security-Policy, so that the page runs them and nothing else.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Plugin } from 'vite';

import { tokensCss } from '../src/base/tokens_css.ts';
import { packed } from './virtual_module.ts';

export interface PageKind {
  // Places that the C++ renderer fills. Each must occur exactly once, also after the script, which
  // could mention them, has been put in.
  readonly placeholders: readonly string[];
  // What the page may do beside running its own script and style.
  readonly policy: { readonly script: readonly string[]; readonly other: readonly string[] };
  // The script as deflate in base64, 0.6 MB less, which a few lines unpack: for a page that is written
  // with every report.
  readonly isPacked?: boolean;
}

export const kReport: PageKind = {
  placeholders: ['<!--PLANEX:STATIC-->', '<!--PLANEX:DATA-->'],
  // The layout and the core are WebAssembly and run in workers made from this script's own text.
  policy: { script: ["'wasm-unsafe-eval'"], other: ['worker-src blob:', 'img-src data: blob:'] },
  isPacked: true,
};

// The index of `planex serve` talks to the server it came from, and to nobody else.
export const kIndex: PageKind = {
  placeholders: [],
  policy: { script: [], other: ["connect-src 'self'"] },
};

// The explorer asks its own server for its core and for examples; no other host can be reached.
export const kExplorer: PageKind = {
  placeholders: [],
  policy: {
    script: ["'wasm-unsafe-eval'"],
    other: ["worker-src blob: 'self'", 'img-src data: blob:', "connect-src 'self'"],
  },
};

// With all inside, it connects to nothing.
export const kExplorerAlone: PageKind = {
  placeholders: [],
  policy: kReport.policy,
  isPacked: true,
};

export interface SingleFileOptions {
  readonly template: string;
  readonly output: string;
  readonly page: PageKind;
  // Files that stay beside the page.
  readonly beside?: (name: string) => boolean;
}

const kStyleMark = '<!--BUILD:STYLE-->';
const kScriptMark = '<!--BUILD:SCRIPT-->';
const kPolicyMark = '{{BUILD:CSP}}';

function sha256(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

// Keeps the HTML parser from leaving the script early. Both replacements mean the same inside the
// string and regular expression literals where a minified bundle can hold these sequences.
export function escapeInlineScript(code: string): string {
  return code.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '\\x3C!--');
}

// What runs the packed script. The policy has the hash of both, so nothing else can take its place.
// It stands in front of the data: the script is unpacked while the rest of the page is still read.
const kUnpack = `(async () => {
const packed = document.getElementById('planex-script');
const text = atob(packed.textContent);
const bytes = new Uint8Array(text.length);
for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
const script = document.createElement('script');
script.type = 'module';
script.textContent = await new Response(stream).text();
if (document.readyState === 'loading') {
await new Promise((read) => document.addEventListener('DOMContentLoaded', read, { once: true }));
}
packed.replaceWith(script);
})();`;

function scriptElements(page: PageKind, script: string): string {
  if (page.isPacked !== true) return `<script type="module">${script}</script>`;
  const bytes = packed(Buffer.from(script, 'utf8'));
  return `<script type="application/octet-stream" id="planex-script">${bytes}</script>\n<script>${kUnpack}</script>`;
}

export function assemble(page: PageKind, template: string, style: string, code: string): string {
  const script = escapeInlineScript(code);
  if (/<\/style/i.test(style)) throw new Error('the style sheet would end its own element');
  const policy = [
    "default-src 'none'",
    [
      'script-src',
      ...(page.isPacked === true ? [sha256(kUnpack)] : []),
      sha256(script),
      ...page.policy.script,
    ].join(' '),
    `style-src ${sha256(style)}`,
    ...page.policy.other,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Functions as replacements: a "$&" in the bundle must not be taken for a pattern.
  const html = template
    .replace(kPolicyMark, () => policy)
    .replace(kStyleMark, () => `<style>${style}</style>`)
    .replace(kScriptMark, () => scriptElements(page, script));
  for (const placeholder of page.placeholders) {
    if (html.split(placeholder).length !== 2) {
      throw new Error(`${placeholder} must occur exactly once in the built page`);
    }
  }
  return html;
}

export function singleFile(options: SingleFileOptions): Plugin {
  return {
    name: 'planex-single-file',
    enforce: 'post',
    buildStart() {
      this.addWatchFile(options.template);
    },
    generateBundle(_output, bundle) {
      let code = '';
      let style = tokensCss();
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === 'chunk') {
          if (code !== '') throw new Error('more than one script chunk: the page must be one file');
          code = item.code.trim();
        } else if (name.endsWith('.css')) {
          style += item.source.toString().trim();
        } else if (options.beside?.(name) === true) {
          continue;
        } else {
          throw new Error(`unexpected asset ${name}`);
        }
        Reflect.deleteProperty(bundle, name);
      }
      const template = readFileSync(options.template, 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: options.output,
        source: assemble(options.page, template, style, code),
      });
    },
  };
}
