import { describeValue, GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/base';
import type { Device } from '@gradsim/kernel';
import { fieldKey } from '@gradsim/kernel/internal';
import type { FrameClock } from '../model/clock.ts';
import { clockOf } from '../model/clock.ts';
import type { Model } from '../model/model.ts';
import { cycleOf } from '../model/phases.ts';
import type { FieldKey } from '../model/references.ts';
import { openSimulation } from '../tape/create.ts';
import type { SimulationOptions } from '../tape/options.ts';
import type { Simulation } from '../tape/simulation.ts';

/** A run whose gradient is checked: what `createSimulation` takes, for one world. */
export interface RolloutOptions extends Pick<SimulationOptions, keyof FrameClock | 'substeps' | 'memory'> {
  readonly frames: number;
  readonly parameters: readonly FieldKey[];
  /** States (compared by their final value) and frame fields (compared in every frame). */
  readonly outputs: readonly FieldKey[];
  /** Initial values that replace the model's, as `simulation.set` takes them, such as inputs over time. */
  readonly values?: Readonly<Record<string, ArrayLike<number>>>;
  /** Seed of the random weights and directions. Default: a new one every time. */
  readonly seed?: number;
}

/** Options of a rollout, with fields given by their keys. */
export interface KeyedRollout extends RolloutOptions {
  readonly parameters: readonly string[];
  readonly outputs: readonly string[];
}

/** Options of a rollout, by which misspelt ones are found. */
const ROLLOUT: Readonly<Record<keyof RolloutOptions, true>> = {
  frames: true,
  frameRate: true,
  frameTimes: true,
  substeps: true,
  memory: true,
  parameters: true,
  outputs: true,
  values: true,
  seed: true,
};

/** @throws for options that a check does not have: its `ownOptions` beside those of its rollout. */
export function refuseUnknownIn<O extends RolloutOptions>(
  caller: string,
  options: O,
  ownOptions: Readonly<Record<Exclude<keyof O, keyof RolloutOptions>, unknown>>,
): void {
  refuseUnknownOptions<object>(caller, options, Object.assign({}, ROLLOUT, ownOptions));
}

/** @throws for another thing than a model, and for fields that are no list. */
export function withKeys<O extends RolloutOptions>(model: Model, options: O): O & KeyedRollout {
  refuseWrongType('a check of gradients: model', model, 'a model: buildModel(scene)', !!model?.keyOf);
  const keysOf = (name: 'parameters' | 'outputs'): string[] => {
    if (!Array.isArray(options[name]))
      throw new GradsimError(
        'core/wrong-type',
        `\`${name}\` is ${describeValue(options[name])}, and must be a list of fields.`,
        {
          hint: 'For a plugin with the components Mote: parameters: [Mote.mass], outputs: [Mote.position].',
        },
      );
    return options[name].map((field) => model.keyOf(field));
  };
  return { ...options, parameters: keysOf('parameters'), outputs: keysOf('outputs') };
}

/** A simulation with the fields that are read from it. */
export interface Rollout {
  readonly simulation: Simulation;
  readonly states: readonly string[];
  readonly recorded: readonly string[];
  /** Initial values of the parameters, by key. */
  readonly starts: ReadonlyMap<string, Float64Array>;
}

/** Number of moments for which a field has values: frames or substeps for an input over time, else 1. */
export function momentsOf(model: Model, { frames, substeps }: KeyedRollout, key: string): number {
  const { variesBy } = model.field(key);
  return variesBy === 'frame' ? frames : variesBy === 'substep' ? (frames - 1) * substeps : 1;
}

/** Initial values of a field in a run. */
export function startOf(model: Model, run: KeyedRollout, key: string): Float64Array {
  const field = model.field(key);
  const count = momentsOf(model, run, key) * model.domain(field.domain).size * field.components;
  const given = run.values?.[key] ?? field.values ?? [0];
  return Float64Array.from({ length: count }, (_, k) => given[k % given.length]);
}

/** True for a field that passes of frames write. */
export const isFrameField = (model: Model, key: string): boolean =>
  model
    .kernels()
    .some(
      ({ phase, kernel: { form }, names }) =>
        cycleOf(phase) === 'frame' &&
        form.ports.some((p) => p.access !== 'read' && fieldKey(p, form.domain, names) === key),
    );

export async function createRollout(
  model: Model,
  options: KeyedRollout,
  device: Device,
  derivative: 'adjoint' | 'tangent',
  worlds = 1,
): Promise<Rollout> {
  const { frames, substeps, memory, parameters, outputs, values = {} } = options;
  const recorded = outputs.filter((key) => isFrameField(model, key));
  const simulation = await openSimulation(
    model,
    {
      device,
      frames,
      ...clockOf(options),
      substeps,
      worlds,
      memory,
      parameters,
      outputs,
      record: recorded,
      derivative,
    },
    { isFree: true },
  );
  for (const [key, given] of Object.entries(values)) simulation.set(key, given);
  const starts = new Map<string, Float64Array>();
  for (const key of parameters) {
    starts.set(key, startOf(model, options, key));
  }
  return { simulation, states: outputs.filter((key) => !recorded.includes(key)), recorded, starts };
}

export async function readOutputs({ simulation, states, recorded }: Rollout): Promise<Map<string, Float64Array>> {
  const values = new Map<string, Float64Array>();
  for (const key of states) values.set(key, await simulation.read(key));
  for (const key of recorded) values.set(key, await simulation.readFrames(key));
  return values;
}

/** Largest size of a value; 0 for none. */
export const magnitude = (values: Float64Array): number => values.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
