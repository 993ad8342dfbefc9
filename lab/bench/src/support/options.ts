import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import type { Device, DeviceName } from '@gradsim/core';
import { profileDevice, selectDevice } from '@gradsim/core';

/**
 * Command-line options of a benchmark: `--device NAME`, `--NAME VALUE`. `--profile` runs on one thread and prints the
 * time of every pass at the end.
 */
export interface BenchOptions {
  readonly device: Device;
  /** Returns the integer value of an option; by default `otherwise`. */
  readonly number: (name: string, otherwise: number) => number;
  readonly text: (name: string, otherwise: string) => string;
}

/**
 * Reads the command-line options.
 *
 * @param deviceName device to use without `--device`.
 * @throws for a device that is not available.
 */
export async function benchOptions(names: readonly string[], deviceName: DeviceName = 'cpu'): Promise<BenchOptions> {
  const named = [...names, 'device', 'threads'].map((name) => [name, { type: 'string' as const }]);
  const options: NonNullable<ParseArgsConfig['options']> = {
    ...Object.fromEntries(named),
    profile: { type: 'boolean' },
  };
  const values = valuesOf(options);
  const text = (name: string, otherwise: string): string => (values[name] as string | undefined) ?? otherwise;
  const threads = values.threads === undefined ? undefined : Number.parseInt(text('threads', ''), 10);
  const plain = await selectDevice(text('device', deviceName) as DeviceName, { threads });
  return {
    device: values.profile === true ? profiled(plain) : plain,
    text,
    number: (name, otherwise) => wholeNumber(name, text(name, String(otherwise))),
  };
}

/** Values on the command line. With `--help`, or an option that is not there, prints the options and ends the program. */
function valuesOf(options: NonNullable<ParseArgsConfig['options']>): Readonly<Record<string, unknown>> {
  const usage = Object.entries(options).map(([name, { type }]) => `--${name}${type === 'string' ? ' VALUE' : ''}`);
  const args = process.argv.slice(2);
  try {
    if (!args.includes('--help')) return parseArgs({ args, options, strict: true }).values;
    console.log(`Options: ${usage.join(', ')}`);
    process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\nOptions: ${usage.join(', ')}`);
    process.exit(2);
  }
}

/**
 * Reads an integer.
 *
 * @throws if the text is not an integer of at least `least`.
 */
export function wholeNumber(name: string, text: string, least = Number.NEGATIVE_INFINITY): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`--${name} takes a whole number, not ${text}.`);
  return value;
}

/** Wraps a device so that its passes are timed; the times are printed when the program ends. */
function profiled(plain: Device): Device {
  const device = profileDevice(plain);
  process.on('exit', () => {
    for (const pass of device.profile()) print({ profile: true, ...pass });
  });
  return device;
}

/** Prints a line of figures as JSON. */
export function print(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export const least = (values: readonly number[]): number => Math.min(...values);

/** Returns the times of `runs` calls of `act`, ms, after `warmUp` calls that are not measured. */
export async function timesMs(runs: number, warmUp: number, act: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let k = 0; k < runs + warmUp; k++) {
    const began = performance.now();
    await act();
    if (k >= warmUp) times.push(performance.now() - began);
  }
  return times;
}

/** Splits a comma-separated list of names; an empty list means all. @throws for an unknown name. */
export function chosenNames<T extends string>(option: string, list: string, names: readonly T[]): readonly T[] {
  if (list === '') return names;
  return list.split(',').map((name) => {
    const found = names.find((each) => each === name);
    if (found === undefined) throw new Error(`--${option} has no ${name}; there are ${names.join(', ')}.`);
    return found;
  });
}
