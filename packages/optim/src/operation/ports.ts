import type { FieldKey, Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { FrameChoice } from '../problem/observation.ts';
import { chosenFrames } from '../problem/observation.ts';
import { momentsOf } from '../problem/run.ts';

/** An output: a recorded field, of all frames or of the chosen ones. */
export type OutputSpec = FieldKey | { readonly field: FieldKey; readonly frames: FrameChoice };

/** Run that determines the sizes of inputs and outputs. */
interface PortRun {
  readonly frames: number;
  readonly substeps: number;
  readonly worlds?: number;
}

/** An input or an output of an operation. */
export interface Port {
  readonly name: string;
  readonly key: string;
  /** Length of the batch axis; 1 without a batch. */
  readonly worlds: number;
  /** Length of the time axis: for inputs over time the number of frames or substeps, for outputs of chosen frames. */
  readonly moments: number;
  /** Number of values of one world at one time: elements times components. */
  readonly perMoment: number;
  /** Numbers of the chosen frames of an output. */
  readonly frames: readonly number[];
  /** Lengths of all axes. */
  readonly shape: readonly number[];
}

export function inputPorts(
  model: Model,
  inputs: Readonly<Record<string, FieldKey>>,
  { frames, substeps, worlds }: PortRun,
): Port[] {
  return distinct(
    'inputs',
    Object.entries(inputs).map(([name, given]): Port => {
      const field = model.field(given);
      const { size } = model.domain(field.domain);
      const moments = momentsOf(field, { frames, substeps });
      const copies = field.shared ? undefined : worlds;
      const shape = [
        ...(copies === undefined ? [] : [copies]),
        ...(field.variesBy ? [moments] : []),
        ...[size, field.components],
      ];
      const perMoment = size * field.components;
      return { name, key: field.key, worlds: copies ?? 1, moments, perMoment, frames: [], shape };
    }),
  );
}

/** Makes the outputs of an operation. @throws for a frame that does not exist, or two outputs of one field. */
export function outputPorts(
  model: Model,
  outputs: Readonly<Record<string, OutputSpec>>,
  { frames: count, worlds }: PortRun,
): Port[] {
  return distinct(
    'outputs',
    Object.entries(outputs).map(([name, spec]): Port => {
      const chosen = typeof spec === 'object' && 'frames' in spec;
      const field = model.field(chosen ? spec.field : spec);
      const { size } = model.domain(field.domain);
      const choice = chosen ? spec.frames : 'all';
      const frames = chosenFrames(choice, count);
      const shape = [
        ...(worlds === undefined ? [] : [worlds]),
        ...(choice === 'last' ? [] : [frames.length]),
        ...[size, field.components],
      ];
      const perMoment = size * field.components;
      return { name, key: field.key, worlds: worlds ?? 1, moments: frames.length, perMoment, frames, shape };
    }),
  );
}

function distinct(what: string, ports: Port[]): Port[] {
  if (ports.length === 0) throw new GradsimError('optim/no-ports', `The operation has no ${what}.`);
  const twice = ports.find(({ key }, k) => ports.findIndex((other) => other.key === key) !== k);
  if (twice)
    throw new GradsimError('optim/named-twice', `Two ${what} of the operation are ${twice.key}.`, { field: twice.key });
  return ports;
}

export const shapesOf = <Name extends string>(ports: readonly Port[]): Readonly<Record<Name, readonly number[]>> =>
  Object.fromEntries(ports.map(({ name, shape }) => [name, shape])) as Record<Name, readonly number[]>;

/** Checks names of given values. @throws for one that is not the name of an input or output. */
export function refuseOthers(caller: string, names: readonly string[], ports: readonly Port[]): void {
  const known = ports.map(({ name }) => name);
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new GradsimError(
      'optim/unknown-name',
      `The operation has no ${caller} "${other}"; it has ${known.join(', ')}.`,
    );
}

/** Checks the number of given values. @throws if it does not match the shape of the input or output. */
export function refuseSize(caller: string, { name, key, shape }: Port, values: ArrayLike<number>): void {
  const count = shape.reduce((product, length) => product * length, 1);
  if (values.length !== count)
    throw new GradsimError(
      'optim/wrong-size',
      `The ${caller} ${name} (${key}) has ${values.length} values; ${shape.join(' x ')} are ${count}.`,
      { field: key },
    );
}

/** Transposes values from [world][moment][...] to [moment][world][...], the order in which simulations take them. */
export const toMoments = ({ worlds, moments, perMoment }: Port, given: ArrayLike<number>): Float64Array =>
  swapped(given, worlds, moments, perMoment);
export const fromMoments = ({ worlds, moments, perMoment }: Port, all: Float64Array): Float64Array =>
  swapped(all, moments, worlds, perMoment);

/** Extracts the chosen frames as [world][frame][...] from the values of all frames, [frame][world][...]. */
export function fromFrames({ frames, worlds, perMoment }: Port, all: Float64Array): Float64Array {
  const perFrame = worlds * perMoment;
  const chosen = new Float64Array(frames.length * perFrame);
  frames.forEach((frame, f) => {
    chosen.set(all.subarray(frame * perFrame, (frame + 1) * perFrame), f * perFrame);
  });
  return swapped(chosen, frames.length, worlds, perMoment);
}

/**
 * Expands values of the chosen frames, [world][frame][...], to all `count` frames, [frame][world][...], with zeros
 * elsewhere.
 */
export function toFrames({ frames, worlds, perMoment }: Port, given: ArrayLike<number>, count: number): Float64Array {
  const perFrame = worlds * perMoment;
  const chosen = swapped(given, worlds, frames.length, perMoment);
  const all = new Float64Array(count * perFrame);
  frames.forEach((frame, f) => {
    all.set(chosen.subarray(f * perFrame, (f + 1) * perFrame), frame * perFrame);
  });
  return all;
}

/** Transposes flat values from [a][b][n] to [b][a][n]. */
function swapped(values: ArrayLike<number>, a: number, b: number, n: number): Float64Array {
  if (a === 1 || b === 1) return Float64Array.from(values);
  const to = new Float64Array(a * b * n);
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++) for (let k = 0; k < n; k++) to[(j * a + i) * n + k] = values[(i * b + j) * n + k];
  return to;
}
