import { inspect } from 'node:util';
import { isGradsimError } from '@gradsim/core';
import type { ReferenceCase } from '@gradsim/reference';
import type { Engine } from '../experiment/engine.ts';
import { messageOf } from '../terminal/describe.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { asDeviceName } from './device-name.ts';

/** Values of `status` in the JSON lines of `gradsim check`. */
type Status = 'checked' | 'unsupported' | 'error';

/**
 * `gradsim check`: runs reference cases and prints a line of JSON for each file on each device, with the errors of its
 * quantities, each relative to the quantity's largest expected magnitude. A file that is not supported, or cannot be
 * read, has one line with the reason; the others still run. Returns the exit code: 1 when a file could not be read or
 * run.
 * @throws before anything runs, for an unknown device, and if the package that reads the cases is not installed.
 */
export async function checkCommand(
  files: readonly string[],
  options: { readonly device: readonly string[]; readonly debug: boolean },
  terminal: Terminal,
): Promise<number> {
  const names = options.device.map((name) => asDeviceName(name, ['f64', 'cpu', 'webgpu']));
  const { reference: runner, core } = await loadReference();
  // An unavailable device is an error in the lines that need it.
  const selections = await Promise.allSettled(names.map((name) => core.selectDevice(name)));
  const counts: Record<Status, number> = { checked: 0, unsupported: 0, error: 0 };
  const print = (status: Status, file: string, more: object): void => {
    counts[status]++;
    terminal.print(JSON.stringify({ file, status, ...more }));
  };
  const fail = (file: string, error: unknown, more: object = {}): void => {
    print('error', file, { ...more, error: messageOf(error), code: isGradsimError(error) ? error.code : undefined });
    if (options.debug) terminal.say(inspect(error));
  };
  try {
    for (const file of files) {
      let reference: ReferenceCase;
      try {
        reference = await runner.readReferenceCase(file);
      } catch (error) {
        fail(file, error);
        continue;
      }
      const { model } = reference;
      if ('unsupported' in reference) {
        print('unsupported', file, { model, reason: reference.unsupported });
        continue;
      }
      for (const [k, device] of names.entries()) {
        const start = performance.now();
        try {
          const selection = selections[k];
          if (selection.status === 'rejected') throw selection.reason;
          const errors = await reference.check(selection.value);
          const seconds = (performance.now() - start) / 1000;
          print('checked', file, { model, device, ...errors, seconds });
        } catch (error) {
          fail(file, error, { model, device });
        }
      }
    }
  } finally {
    for (const selection of selections) if (selection.status === 'fulfilled') selection.value.dispose();
  }
  if (counts.error === 0) return 0;
  const lines = counts.checked + counts.unsupported + counts.error;
  terminal.say(`${counts.error} of ${lines} checks failed; the lines with "status": "error" say why.`);
  return 1;
}

/** Loads the package that runs reference cases, and its core; lazily, since no other command needs them. */
async function loadReference(): Promise<{
  reference: typeof import('@gradsim/reference');
  core: Engine['core'];
}> {
  return { reference: await import('@gradsim/reference'), core: await import('@gradsim/core') };
}
