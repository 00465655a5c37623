// Devices whose limits the core knows: those of its own table, or of the reader's in its place.

import names from 'virtual:planex-devices';

import { asArray, asObject, asText, type Json } from '../model/json_value.ts';
import type { JudgingFiles } from '../model/judging.ts';

export function deviceNames({ devices }: JudgingFiles): readonly string[] {
  if (devices === null) return names;
  const json = JSON.parse(devices.text) as Json;
  return asArray(asObject(json).devices).flatMap((row) => asText(asObject(row).name) ?? []);
}
