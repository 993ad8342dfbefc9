import type { Value } from '@gradsim/kinds';
import { experimentFiles } from '@gradsim/kinds';
import type { Estimate } from '@gradsim/optim';
import { strToU8, zipSync } from 'fflate';
import type { Motion } from '../../../../packages/gradsim/src/experiment/motion/motion.ts';
import { kindOf } from '../kinds.ts';

/** Curves as CSV: time, and position and speed of the model and as seen; missing values are empty. */
export function csvOf(motion: Motion): string {
  const { seconds, x, y, speed, energy, seenX, seenY, seenSpeed, seenEnergy } = motion;
  const names = ['x [m]', 'y [m]', 'speed [m/s]', 'energy [J/kg]'];
  const head = ['time [s]', ...['seen', 'fitted'].flatMap((of) => names.map((name) => name.replace(' ', ` ${of} `)))];
  const rows = seconds.map((_, k) =>
    [seconds, seenX, seenY, seenSpeed, seenEnergy, x, y, speed, energy].map((column) => column[k] ?? '').join(','),
  );
  return `${[head.join(','), ...rows].join('\n')}\n`;
}

/** Result as JSON: everything but the predicted frames, which the CSV holds as curves. */
export function jsonOf({ predicted: _, ...estimate }: Estimate, notes: readonly string[]): string {
  const plain = (_key: string, value: unknown): unknown =>
    ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<number>) : value;
  return `${JSON.stringify({ ...estimate, notes }, plain, 2)}\n`;
}

/** Name of the film's file within a folder, of letters that every system takes. */
export const fileNameOf = ({ name }: File): string => name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+/, '') || 'film';

/**
 * The experiment's folder for the command line, with the film, as a ZIP file: `gradsim estimate KIND/KIND.ts --device
 * cpu` gives the same numbers, but for rounding: functions such as sine differ in the last bit between engines.
 */
export async function experimentFolderOf(
  kind: string,
  measured: Readonly<Record<string, Value>>,
  source: File,
): Promise<Uint8Array<ArrayBuffer>> {
  const video = fileNameOf(source);
  const files = experimentFiles(kindOf(kind), kindOf(kind).importFrom ?? { from: 'gradsim/kinds', name: kind }, {
    ...measured,
    video: `./${video}`,
  });
  const entries = Object.entries(files).map(([name, text]) => [`${kind}/${name}`, strToU8(text)] as const);
  // Stored as it is: films are compressed already.
  const bytes = new Uint8Array(await source.arrayBuffer());
  return zipSync({ ...Object.fromEntries(entries), [`${kind}/${video}`]: [bytes, { level: 0 }] });
}
