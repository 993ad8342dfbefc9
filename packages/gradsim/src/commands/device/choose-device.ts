import type { Device, DeviceName, PassProfile } from '@gradsim/core';
import type { Engine } from '../../experiment/engine.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/**
 * Selects a device of the experiment's own core package, according to the options `--device`, `--threads` and
 * `--profile`. The returned `printProfile` prints the time of every pass on standard error, if profiling was requested.
 * @throws for a device that cannot be profiled.
 */
export async function chooseDevice(
  { selectDevice, profileDevice }: Engine['core'],
  name: DeviceName,
  { threads, profile = false }: { readonly threads?: number; readonly profile?: boolean },
  terminal: Terminal,
): Promise<{ device: Device; printProfile: () => void }> {
  const device = await selectDevice(name, { threads });
  if (!profile) return { device, printProfile: () => {} };
  const profiled = profileDevice(device);
  return { device: profiled, printProfile: () => terminal.say(profileTable(profiled.profile())) };
}

/** Table of GPU or CPU passes with their times as text, the slowest first. */
function profileTable(passes: readonly PassProfile[]): string {
  const all = passes.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const rows = passes.map(({ program, pass, dispatches, milliseconds, bytes }) => [
    program,
    pass,
    String(dispatches),
    milliseconds.toFixed(1),
    `${((100 * milliseconds) / all).toFixed(1)} %`,
    (bytes / 1e6).toFixed(1),
  ]);
  const table = [['program', 'pass', 'dispatches', 'ms', 'share', 'MB'], ...rows];
  const widths = table[0].map((_, c) => Math.max(...table.map((row) => row[c].length)));
  return table
    .map((row) => row.map((cell, c) => (c < 2 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join('  '))
    .join('\n');
}
