import { selectDevice } from '@gradsim/core';
import { readReferenceCase } from '../check/formats.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { asDeviceName } from './device-name.ts';

/** Exit code when a file's model is not supported. */
export const UNSUPPORTED = 2;

/**
 * `gradsim check`: runs reference cases and prints one line of JSON a file with its errors, each relative to the
 * largest expected magnitude. Gives the exit code, 2 when a model is not supported.
 * @throws before anything runs for a file that is no reference case, and for an unknown device.
 */
export async function checkCommand(
  files: readonly string[],
  options: { readonly device: string },
  terminal: Terminal,
): Promise<number> {
  const deviceName = asDeviceName(options.device, ['f64', 'cpu', 'webgpu']);
  const cases = await Promise.all(files.map(readReferenceCase));
  const device = await selectDevice(deviceName);
  let code = 0;
  try {
    for (const { file, model, content, format } of cases) {
      if (!format) {
        terminal.print(JSON.stringify({ file, model, unsupported: true }));
        code = UNSUPPORTED;
        continue;
      }
      const start = performance.now();
      const errors = await format.check(content, device);
      const seconds = (performance.now() - start) / 1000;
      terminal.print(JSON.stringify({ file, model, device: device.kind, ...errors, seconds }));
    }
  } finally {
    device.dispose();
  }
  return code;
}
