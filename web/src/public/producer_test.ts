import { describe, expect, it } from 'vitest';

import { producerName } from './producer.ts';

describe('producerName', () => {
  it('spells makers as they do', () => {
    expect(producerName('tensorrt-rtx', '1.7')).toBe('TensorRT-RTX 1.7');
    expect(producerName('onnxruntime', null)).toBe('ONNX Runtime, version not in the file');
    expect(producerName('other', '3')).toBe('other 3');
  });

  it('says of a model that there is no engine', () => {
    expect(producerName('onnx', null)).toBe('ONNX model, nothing compiled');
  });
});
