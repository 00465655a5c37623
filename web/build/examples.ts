// Gives the explorer the engines of examples/engines, in the module "virtual:planex-examples": their
// files inside the page as deflate in base64, or beside it.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Plugin } from 'vite';

import type { Packing } from './core.ts';
import { packed, virtualModule } from './virtual_module.ts';

const kEngines = join(dirname(fileURLToPath(import.meta.url)), '../../examples/engines');
const kFolder = 'examples';

interface Example {
  readonly name: string;
  readonly words: string;
  // Below examples/engines; several are compared.
  readonly folders: readonly string[];
}

const kExamples: readonly Example[] = [
  {
    name: 'ResNet-18, INT8',
    words:
      'TensorRT on an A100, quantized before every convolution: a quarter of the time goes into conversions',
    folders: ['resnet18-a100-qat'],
  },
  {
    name: 'The same, with the residual branches quantized',
    words: 'both engines, compared layer by layer',
    folders: ['resnet18-a100-qat', 'resnet18-a100-qat-residual'],
  },
  {
    name: 'FP32 against INT8 on a CPU',
    words: 'OpenVINO, two builds of one model',
    folders: ['resnet18-openvino/fp32', 'resnet18-openvino/qdq-shared'],
  },
  {
    name: 'ONNX Runtime',
    words: 'convolutions, a loop and a conditional: profile, source model and optimized model',
    folders: ['small-onnxruntime'],
  },
  {
    name: 'A log of trtexec',
    words: 'the verbose log alone, packed with gzip',
    folders: ['mnist-trtexec-log'],
  },
];

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(kEngines, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(kEngines, path)).isFile())
    .sort();
}

export function exampleFiles(): readonly string[] {
  const folders = new Set(kExamples.flatMap((example) => example.folders));
  return [...folders].sort().flatMap(filesBelow);
}

export function exampleEngines(packing: Packing): Plugin {
  const bytes = (path: string): Buffer => readFileSync(join(kEngines, path));
  return {
    name: 'planex-examples',
    ...virtualModule('virtual:planex-examples', () => ({
      examples: kExamples.map(({ name, words, folders }) => ({
        name,
        words,
        files: folders.flatMap(filesBelow),
      })),
      packed:
        packing === 'inside'
          ? Object.fromEntries(exampleFiles().map((path) => [path, packed(bytes(path))]))
          : null,
      folder: kFolder,
    })),
    generateBundle() {
      if (packing === 'inside') return;
      for (const path of exampleFiles()) {
        this.emitFile({ type: 'asset', fileName: `${kFolder}/${path}`, source: bytes(path) });
      }
    },
  };
}
