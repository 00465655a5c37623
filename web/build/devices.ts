// Gives the explorer the names of the devices that the core's table has, in the module
// "virtual:planex-devices": no verb of the core lists them.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Plugin } from 'vite';

import { virtualModule } from './virtual_module.ts';

const kTable = join(dirname(fileURLToPath(import.meta.url)), '../../data/devices.json');

interface DeviceTable {
  readonly devices: readonly { readonly name: string }[];
}

export function deviceTable(): Plugin {
  return {
    name: 'planex-devices',
    ...virtualModule('virtual:planex-devices', (watch) => {
      watch(kTable);
      const { devices } = JSON.parse(readFileSync(kTable, 'utf8')) as DeviceTable;
      return devices.map(({ name }) => name);
    }),
  };
}
