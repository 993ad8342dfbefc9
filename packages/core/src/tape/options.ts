import { describeValue, GradsimError, refuseUnknownChoice, refuseUnknownOptions, refuseWrongType } from '@gradsim/base';
import type { Device } from '@gradsim/kernel';
import type { StepClock } from '@gradsim/kernel/internal';
import type { Comparisons } from '../compile/comparison/comparison.ts';
import type { FrameClock } from '../model/clock.ts';
import { checkedRate } from '../model/clock.ts';
import type { FieldKey } from '../model/references.ts';

export interface SimulationOptions extends FrameClock {
  readonly device: Device;
  /**
   * Number of frames; frame 0 is the initial state. {@link Simulation.forward} runs all of them. Default: as many as
   * `frameTimes`. A simulation that is only stepped at a `frameRate` needs no number: it keeps the last frame and has no
   * end.
   */
  readonly frames?: number;
  /** Number of physics substeps from one frame to the next. */
  readonly substeps: number;
  /** Number of copies of the model, with the same topology and their own values. Default 1. */
  readonly worlds?: number;
  /** Fields with respect to which gradients (or tangents) are computed. */
  readonly parameters?: readonly FieldKey[];
  /** Frame fields and states whose every frame is kept for {@link Simulation.readFrames}. */
  readonly record?: readonly FieldKey[];
  /** Fields at which adjoints are seeded: states and recorded frame fields. Default: the recorded fields. */
  readonly outputs?: readonly FieldKey[];
  /** `adjoint` for gradients (default if there are parameters), `tangent` for forward-mode derivatives. */
  readonly derivative?: 'none' | 'adjoint' | 'tangent';
  /**
   * With `derivative: 'tangent'`: number of tangents of each world, each along its own direction. All share one run, so
   * a further tangent costs less than a further world. Default 1.
   */
  readonly tangents?: number;
  /** Targets of recorded fields, which the device compares with the results: see {@link Simulation.readComparisons}. */
  readonly comparisons?: Comparisons;
  /** Memory limit, bytes, for the states and frames that a gradient keeps of the run. Default 256 MB. */
  readonly memory?: number;
  /**
   * Called with warnings before a run, such as a substep above the stable one. Default: `console.warn`, once for each
   * text.
   */
  readonly onWarning?: (message: string) => void;
}

/** Options of a simulation, with fields given by their keys. */
export interface Settings extends SimulationOptions {
  readonly parameters: readonly string[];
  readonly record: readonly string[];
  readonly outputs: readonly string[];
  readonly isFree?: boolean;
  readonly clock: StepClock;
}

/** Default of `SimulationOptions.memory`, bytes. */
export const DEFAULT_MEMORY = 256e6;

/**
 * Maximum number of substeps per frame: they are submitted at once, with a row of registers each, and cannot be
 * interrupted.
 */
const MAX_FRAME_SUBSTEPS = 1e6;
/** Maximum number of substeps of a whole run: at a microsecond each, a quarter of an hour. */
const MAX_TOTAL_SUBSTEPS = 1e9;

const OPTIONS = {
  device: true,
  frames: true,
  frameRate: true,
  frameTimes: true,
  substeps: true,
  worlds: true,
  parameters: true,
  record: true,
  outputs: true,
  derivative: true,
  tangents: true,
  comparisons: true,
  memory: true,
  onWarning: true,
};

/**
 * Checks options.
 * @returns them, with a rate in place of times of frames that are even.
 * @throws for unknown options and invalid values of {@link SimulationOptions}.
 */
export async function checkedOptions(options: SimulationOptions): Promise<SimulationOptions> {
  refuseUnknownOptions<SimulationOptions>('createSimulation', options, OPTIONS);
  const { frames = options.frameTimes?.length ?? 1, substeps, worlds = 1, memory = DEFAULT_MEMORY } = options;
  const { derivative = 'none', tangents = 1 } = options;
  const refuse = (name: keyof SimulationOptions, must: string, holds: unknown): void =>
    refuseWrongType(`createSimulation: ${name}`, options[name], must, !!holds);
  refuse('device', 'a device', (options.device as Partial<Device> | undefined | null)?.createExecutor);
  for (const name of ['parameters', 'record', 'outputs'] as const)
    refuse(name, 'a list of fields', options[name] === undefined || Array.isArray(options[name]));
  const { comparisons = { list: [] }, onWarning = refuse } = options;
  refuse('comparisons', 'an object with a `list`', Array.isArray(comparisons?.list));
  refuse('onWarning', 'a function', typeof onWarning === 'function');
  refuseUnknownChoice('derivative', derivative, ['none', 'adjoint', 'tangent']);
  const need = (name: keyof SimulationOptions, value: unknown, must: string, holds: boolean): void => {
    if (holds) return;
    throw new GradsimError('core/option-out-of-range', `${name} must be ${must}, got ${describeValue(value)}.`, {
      field: name,
    });
  };
  for (const [name, value] of Object.entries({ frames, substeps, worlds, tangents }))
    need(name as 'frames', value, 'a whole number of at least 1', Number.isInteger(value) && value > 0);
  need('memory', memory, 'a positive number of bytes', typeof memory === 'number' && memory > 0);
  if (tangents > 1 && derivative !== 'tangent')
    throw new GradsimError(
      'core/no-tangents',
      `tangents is ${describeValue(tangents)}, and this simulation has none.`,
      {
        field: 'tangents',
        hint: "Make it with `derivative: 'tangent'`.",
      },
    );
  if (substeps > MAX_FRAME_SUBSTEPS)
    throw new GradsimError(
      'core/option-out-of-range',
      `substeps is ${describeValue(substeps)} a frame, and at most ${MAX_FRAME_SUBSTEPS} can be run at once.`,
      { field: 'substeps', hint: 'Give fewer, or frames in quicker succession.' },
    );
  if (frames * substeps > MAX_TOTAL_SUBSTEPS)
    throw new GradsimError(
      'core/option-out-of-range',
      `frames is ${describeValue(frames)} and substeps ${substeps}: ${frames * substeps} substeps in all, and at most ${MAX_TOTAL_SUBSTEPS} can be run.`,
      { field: 'frames' },
    );
  const { frameRate, frameTimes, ...others } = options;
  if (frameTimes === undefined) return { ...others, ...checkedRate(frameRate) };
  // Loaded with the first times, so that a page without any has no bytes of it.
  const { checkedTimes } = await import('../model/frame-times.ts');
  return { ...others, ...checkedTimes(options, frames), frames };
}
