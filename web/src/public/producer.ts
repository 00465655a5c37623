// The producer of an engine, in its maker's own spelling.

import type { Engine } from '../model/engine.ts';

const kProducers: Readonly<Record<string, string>> = {
  tensorrt: 'TensorRT',
  'tensorrt-rtx': 'TensorRT-RTX',
  openvino: 'OpenVINO',
  onnxruntime: 'ONNX Runtime',
};

export function producerName(
  producer: string | null,
  version: string | null,
  noVersion = ', version not in the file',
): string {
  const id = producer ?? '';
  if (id === 'onnx') return 'ONNX model, nothing compiled';
  const name = Object.hasOwn(kProducers, id) ? (kProducers[id] ?? id) : id;
  return version === null ? name + noVersion : `${name} ${version}`;
}

export function producerText(engine: Engine): string {
  const facts = engine.summary.engine;
  return producerName(facts.producer, facts.producer_version);
}
