import type { Device } from '@gradsim/kernel';
import { f64Device } from '@gradsim/kernel';
import { randomNumbers, randomValues } from '@gradsim/kernel/testing';
import { clockOf, fasterClock } from '../model/clock.ts';
import type { Model } from '../model/model.ts';
import { openSimulation } from '../tape/create.ts';
import type { Simulation } from '../tape/simulation.ts';
import { compiledOf } from '../tape/simulation.ts';
import type { KeyedRollout } from './rollout.ts';
import { magnitude, startOf } from './rollout.ts';

/** Largest step to both sides, relative to the parameter, and the factor to it from one step to the next. */
const LARGEST_STEP = 1e-2;
const STEP_FACTOR = 10;
/** Difference from the tangent, relative to the largest one of a state, from which runs count as parted. */
const MIN_DIFFERENCE = 1e-2;
/** Largest number of substeps that are looked through. */
const MOST_SUBSTEPS = 5000;

/** A parameter along which differences disagree with the derivative, and the step at which they do so least. */
interface DifferenceFailure {
  readonly key: string;
  readonly error: number;
  readonly step: number;
}

/**
 * Finds where the derivative along parameters stops foretelling runs to both sides of it: the first substep, and the
 * element of a state that outputs depend on; at the step at which differences are best, or at a larger one.
 * @param checked simulation of the run with tangents.
 * @returns a sentence for each parameter whose runs part; null if none does, or the run has inputs over time.
 */
export async function locateParting(
  checked: Simulation,
  run: KeyedRollout,
  failed: readonly DifferenceFailure[],
): Promise<string | null> {
  const { model } = checked;
  const { roles, active } = compiledOf(checked);
  const states = [...roles].flatMap(([key, role]) => (role === 'state' && active.has(key) ? [key] : []));
  const isOverTime = (key: string): boolean => model.field(key).variesBy !== undefined;
  if ([...run.parameters, ...Object.keys(run.values ?? {})].some(isOverTime)) return null;
  if ((run.frames - 1) * run.substeps > MOST_SUBSTEPS) return null;
  const device = f64Device();
  try {
    const found: string[] = [];
    for (const failure of failed) {
      const one = await sentenceOf(model, { ...run, outputs: states }, failure, device);
      if (one) found.push(one);
    }
    return found.length > 0 ? found.join('\n') : null;
  } finally {
    device.dispose();
  }
}

async function sentenceOf(
  model: Model,
  run: KeyedRollout,
  { key, error, step }: DifferenceFailure,
  device: Device,
): Promise<string | null> {
  for (let by = step; by <= LARGEST_STEP; by *= STEP_FACTOR) {
    const parted = await partOf(model, run, key, by, device);
    if (!parted) continue;
    if (by === step)
      return `Along ${key}, runs to both sides of it part from the derivative ${parted}. Something begins or ends there on one side and not on the other (a kink or jump), or is taken as constant.`;
    return (
      `Along ${key}, differences come to ${error.toExponential(1)} of the derivative, at a step of ${step.toExponential(1)}, and runs so close part nowhere from it: nothing is taken as constant. ` +
      `At ${by.toExponential(1)} they part ${parted}, where something begins or ends (a kink), and at smaller steps rounding is larger. ` +
      'Differences cannot be more exact in so sensitive a run: check fewer frames or more substeps, or allow more by `differenceTolerance`.'
    );
  }
  return null;
}

/** Returns where runs a step to both sides part from the derivative, and the numbers there; null if they do not. */
async function partOf(
  model: Model,
  run: KeyedRollout,
  key: string,
  step: number,
  device: Device,
): Promise<string | null> {
  const { frames, substeps, outputs: states, values = {} } = run;
  const all = (frames - 1) * substeps;
  const start = startOf(model, run, key);
  const size = magnitude(start) || 1;
  const direction = randomValues(randomNumbers(run.seed ?? 1), start.length, -size, size);
  const open = async (by: number): Promise<Simulation> => {
    const tangents = by === 0 && ({ derivative: 'tangent', parameters: [key], outputs: states } as const);
    const simulation = await openSimulation(
      model,
      { device, frames: all + 1, substeps: 1, ...fasterClock(clockOf(run), substeps), ...(tangents || {}) },
      { isFree: true },
    );
    for (const [name, value] of Object.entries(values)) simulation.set(name, value);
    simulation.set(
      key,
      start.map((x, k) => x + by * direction[k]),
    );
    if (by === 0) simulation.setTangent(key, direction);
    return simulation;
  };
  const [middle, ahead, behind] = [await open(0), await open(step), await open(-step)];
  try {
    for (let substep = 0; substep < all; substep++) {
      for (const one of [middle, ahead, behind]) one.step();
      for (const state of states) {
        if (!middle.hasDerivative(state)) continue;
        const [tangent, plus, minus] = [
          await middle.readTangent(state),
          await ahead.read(state),
          await behind.read(state),
        ];
        const largest = Math.max(magnitude(tangent), magnitude(plus) * 1e-6);
        const at = tangent.findIndex(
          (t, k) => Math.abs((plus[k] - minus[k]) / (2 * step) - t) > MIN_DIFFERENCE * largest,
        );
        if (at < 0) continue;
        const { domain, components } = model.field(state);
        const slope = (plus[at] - minus[at]) / (2 * step);
        return `in substep ${substep}, in ${state} of ${model.describe(domain, Math.floor(at / components))}: ${slope.toPrecision(4)} by differences, ${tangent[at].toPrecision(4)} by the derivative`;
      }
    }
    return null;
  } finally {
    for (const one of [middle, ahead, behind]) one.dispose();
  }
}
