// What made an engine, in its maker's own spelling.

import type { Engine } from '../model/engine.ts';

const kProducers: Readonly<Record<string, string>> = {
  tensorrt: 'TensorRT',
  'tensorrt-rtx': 'TensorRT-RTX',
  openvino: 'OpenVINO',
  onnxruntime: 'ONNX Runtime',
};

export function producerText(engine: Engine): string {
  const facts = engine.summary.engine;
  const producer = facts.producer ?? '';
  const name = Object.hasOwn(kProducers, producer) ? (kProducers[producer] ?? producer) : producer;
  return facts.producer_version === null
    ? `${name}, version not in the file`
    : `${name} ${facts.producer_version}`;
}
