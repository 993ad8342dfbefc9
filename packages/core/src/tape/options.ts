import type { Device } from '@gradsim/kernel';
import { GradsimError, refuseUnknownChoice, refuseUnknownOptions, refuseWrongType } from '@gradsim/kernel';
import type { Comparisons } from '../compile/comparison/comparison.ts';
import { flawOf } from '../model/fit.ts';
import type { FieldKey } from '../model/references.ts';

export interface SimulationOptions {
  readonly device: Device;
  /**
   * Number of frames; frame 0 is the initial state. {@link Simulation.forward} runs all of them. A simulation that is
   * only stepped needs no number: it keeps the last frame and has no end.
   */
  readonly frames?: number;
  /** Frames per second. */
  readonly frameRate: number;
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

const isList = (value: unknown): boolean => value === undefined || Array.isArray(value);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** @throws for an option of another type, which would fail later and elsewhere. */
function refuseWrongTypes(options: SimulationOptions): void {
  const { device, comparisons, onWarning } = options;
  const refuse = (name: keyof SimulationOptions, must: string, holds: boolean): void =>
    refuseWrongType(`createSimulation: ${name}`, options[name], must, holds);
  const isDevice = typeof (device as Partial<Device> | undefined | null)?.createExecutor === 'function';
  refuse('device', 'a device, such as cpuDevice() or what selectDevice() resolves to', isDevice);
  for (const name of ['parameters', 'record', 'outputs'] as const)
    refuse(name, 'a list of fields, such as [Body.position]', isList(options[name]));
  const isCompared =
    comparisons === undefined ||
    (isObject(comparisons) && Array.isArray(comparisons.of) && comparisons.of.every(isObject));
  refuse('comparisons', 'an object with a list `of` of objects', isCompared);
  refuse('onWarning', 'a function', onWarning === undefined || typeof onWarning === 'function');
  for (const name of ['frames', 'frameRate', 'substeps', 'worlds', 'tangents', 'memory'] as const)
    refuse(name, 'a number', options[name] === undefined || typeof options[name] === 'number');
}

/** @throws for unknown options and invalid values of {@link SimulationOptions}. */
export function checkOptions(options: SimulationOptions): void {
  refuseUnknownOptions<SimulationOptions>('createSimulation', options, OPTIONS);
  const { frames = 1, frameRate, substeps, worlds = 1, memory = DEFAULT_MEMORY } = options;
  const { derivative = 'none', tangents = 1 } = options;
  refuseWrongTypes(options);
  refuseUnknownChoice('derivative', derivative, ['none', 'adjoint', 'tangent']);
  const whole = (name: string, value: number): void => {
    if (!Number.isInteger(value) || value < 1)
      throw new GradsimError(
        'core/option-out-of-range',
        `${name} must be a whole number of at least 1, got ${value}.`,
        { field: name },
      );
  };
  whole('frames', frames);
  whole('substeps', substeps);
  whole('worlds', worlds);
  whole('tangents', tangents);
  if (tangents > 1 && derivative !== 'tangent')
    throw new GradsimError('core/no-tangents', `tangents is ${tangents}, and this simulation has none.`, {
      field: 'tangents',
      hint: "Make it with `derivative: 'tangent'`.",
    });
  if (substeps > MAX_FRAME_SUBSTEPS)
    throw new GradsimError(
      'core/option-out-of-range',
      `substeps is ${substeps} a frame, and at most ${MAX_FRAME_SUBSTEPS} can be run at once.`,
      { field: 'substeps', hint: 'Give fewer, or a higher frameRate.' },
    );
  if (frames * substeps > MAX_TOTAL_SUBSTEPS)
    throw new GradsimError(
      'core/option-out-of-range',
      `frames is ${frames} and substeps ${substeps}: ${frames * substeps} substeps in all, and at most ${MAX_TOTAL_SUBSTEPS} can be run.`,
      { field: 'frames' },
    );
  if (!(memory > 0))
    throw new GradsimError('core/option-out-of-range', `memory must be a positive number of bytes, got ${memory}.`, {
      field: 'memory',
    });
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError(
      'core/option-out-of-range',
      `frameRate must be a positive number of frames a second, got ${frameRate}.`,
      { field: 'frameRate' },
    );
  const dt = 1 / (frameRate * substeps);
  const must = flawOf(dt, { scalar: 'f32', range: 'positive' });
  if (must)
    throw new GradsimError(
      'core/option-out-of-range',
      `frameRate is ${frameRate} and substeps ${substeps}, so a substep takes ${dt} s, which must ${must}.`,
      { field: 'frameRate' },
    );
}
