// Devices whose limits the core knows: from its own table, or from the reader's if there is one.

import names from 'virtual:planex-devices';

import { asArray, asObject, asText, type Json } from '../model/json_value.ts';
import type { JudgingFiles } from '../model/judging.ts';

export function deviceNames({ devices }: JudgingFiles): readonly string[] {
  if (devices === null) return names;
  const json = JSON.parse(devices.text) as Json;
  return asArray(asObject(json).devices).flatMap((row) => asText(asObject(row).name) ?? []);
}
