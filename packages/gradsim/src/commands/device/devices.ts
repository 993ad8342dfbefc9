import { listDevices } from '@gradsim/core';
import type { Terminal } from '../../terminal/terminal.ts';

/** `gradsim devices`: lists the devices of this machine; with `json`, one line of JSON for each device. */
export async function devicesCommand(
  { json = false }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  for (const device of await listDevices()) {
    if (json) {
      terminal.print(JSON.stringify(device));
      continue;
    }
    const marks = [device.isDefault ? 'taken by auto' : '', device.isAvailable ? '' : 'not available'].filter(Boolean);
    const remark = marks.length > 0 ? ` (${marks.join(', ')})` : '';
    terminal.print(`${device.name.padEnd(8)}${device.description}${remark}`);
  }
  return 0;
}
