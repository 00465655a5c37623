// What a report embeds next to its data: the core, its engines whole, and the request that made it,
// as src/render/html/report_html.cc writes them. Nothing is unpacked before it is needed.

import { XzReadableStream } from 'xz-decompress';

import { bytesOf, inflated } from '../base/inflate.ts';
import type { Option, PlacedFile } from '../core/protocol.ts';
import { asArray, asObject, asText, type Json } from '../model/json_value.ts';

export interface CarriedRequest {
  readonly engines: readonly (readonly Option[])[];
  readonly report: readonly Option[];
}

function textOf(node: Element): string {
  const text = node.textContent.trim();
  // The embedded text is most of the page's memory.
  node.remove();
  return text;
}

function optionsOf(json: Json | undefined): readonly Option[] {
  return asArray(json).map((pair): Option => {
    const [name, value] = asArray(pair);
    return [asText(name) ?? '', asText(value) ?? ''];
  });
}

export class Carried {
  readonly #core: string;
  readonly #request: string;
  readonly #files: readonly { readonly path: string; readonly packed: string }[];

  private constructor(core: Element, request: Element, files: readonly Element[]) {
    this.#core = textOf(core);
    this.#request = textOf(request);
    this.#files = files.map((node) => ({
      path: node.getAttribute('data-name') ?? '',
      packed: textOf(node),
    }));
  }

  // Null: the page can only display (planex report --light).
  static in(page: Document): Carried | null {
    const core = page.getElementById('planex-core');
    const request = page.getElementById('planex-request');
    if (core === null || request === null) return null;
    return new Carried(core, request, [...page.querySelectorAll('.planex-file')]);
  }

  async request(): Promise<CarriedRequest> {
    const { engines, report } = asObject((await inflated(this.#request).json()) as Json);
    return { engines: asArray(engines).map(optionsOf), report: optionsOf(report) };
  }

  files(): Promise<readonly PlacedFile[]> {
    return Promise.all(
      this.#files.map(async ({ path, packed }) => ({
        path,
        content: await inflated(packed).blob(),
      })),
    );
  }

  async text(path: string): Promise<string> {
    const file = this.#files.find((one) => one.path === path);
    return file === undefined ? '' : inflated(file.packed).text();
  }

  async module(): Promise<WebAssembly.Module> {
    const packed = new Blob([bytesOf(this.#core)]).stream();
    return WebAssembly.compile(await new Response(new XzReadableStream(packed)).arrayBuffer());
  }
}
