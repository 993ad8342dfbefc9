import { type Device, isGradsimError } from '@gradsim/core';
import { type ReferenceCase, readReferenceCase } from './read.ts';

/** Values of `status` in the lines. */
type Status = 'checked' | 'unsupported' | 'error';

/** A device by its name; one that is unavailable is an error in the lines that need it. */
export type NamedDevice = readonly [name: string, device: () => Device];

/**
 * Runs reference cases and prints a line of JSON for each file on each device, with the errors of its quantities, each
 * relative to the quantity's largest expected magnitude. A file that is not supported, or cannot be read, has one line
 * with the reason; the others still run.
 * @returns the number of lines by status.
 */
export async function checkFiles(
  files: readonly string[],
  devices: readonly NamedDevice[],
  printLine: (line: string) => void,
): Promise<Readonly<Record<Status, number>>> {
  const counts: Record<Status, number> = { checked: 0, unsupported: 0, error: 0 };
  const print = (status: Status, file: string, more: object): void => {
    counts[status]++;
    printLine(JSON.stringify({ file, status, ...more }));
  };
  const fail = (file: string, error: unknown, more: object = {}): void =>
    print('error', file, {
      ...more,
      error: error instanceof Error ? error.message : String(error),
      code: isGradsimError(error) ? error.code : undefined,
    });
  for (const file of files) {
    let reference: ReferenceCase;
    try {
      reference = await readReferenceCase(file);
    } catch (error) {
      fail(file, error);
      continue;
    }
    const { model } = reference;
    if ('unsupported' in reference) {
      print('unsupported', file, { model, reason: reference.unsupported });
      continue;
    }
    for (const [name, device] of devices) {
      const start = performance.now();
      try {
        const errors = await reference.check(device());
        print('checked', file, { model, device: name, ...errors, seconds: (performance.now() - start) / 1000 });
      } catch (error) {
        fail(file, error, { model, device: name });
      }
    }
  }
  return counts;
}
