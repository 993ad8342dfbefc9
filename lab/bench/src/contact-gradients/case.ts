import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';

/** Unknown: a field, and directions in which its values move, one for each component of the derivative. */
export interface Unknown {
  readonly name: string;
  readonly key: string;
  readonly directions: readonly (readonly number[])[];
}

/** Output: weights of values of fields, and whether friction or the normal force moves it, which have own bounds. */
export interface Output {
  readonly name: string;
  readonly weights: Readonly<Record<string, readonly number[]>>;
  readonly contactAxis: 'normal' | 'friction';
}

/** A touch whose derivatives are judged at many phases within a substep. */
export interface GradientCase {
  readonly name: string;
  readonly model: Model;
  readonly seconds: number;
  /** Duration of a touch, s: substeps are counted by it. */
  readonly touch: number;
  readonly unknowns: readonly Unknown[];
  readonly outputs: readonly Output[];
  /** Returns the start of a run that touches later by the given time, s: values of fields. */
  readonly start: (later: number) => Readonly<Record<string, readonly number[]>>;
  /** Returns the derivative by closed form, in the order of `outputs`, then `unknowns`; without it, by finer substeps. */
  readonly exact?: (later: number) => readonly (readonly number[])[];
  /** Bound of the worst error over the phases, or of its root mean square, in per cent. */
  readonly bound?: { readonly of: 'worst' | 'rms'; readonly normal: number; readonly friction: number };
}

/** Numbers of substeps a touch, each twice the one before. */
export const SUBSTEPS = [20, 40, 80, 160] as const;
export const STEP_PHASES = 40;
/** Substeps of the comparison by finer substeps, over those of a run. */
export const REFERENCE_FACTOR = 64;

/** Substeps of the whole run, given their number in a touch. */
export const substepsOf = ({ seconds, touch }: GradientCase, each: number): number =>
  Math.round((each * seconds) / touch);

/**
 * Delays of the touch, s, spread over the longest substep: multiples of the golden ratio, so that they are spread over
 * shorter ones as well.
 */
export function touchDelays(of: GradientCase): number[] {
  const dt = of.seconds / substepsOf(of, SUBSTEPS[0]);
  return Array.from({ length: STEP_PHASES }, (_, k) => dt * ((k * 0.6180339887498949) % 1));
}

/** Derivatives of one start by the adjoint, in the order of outputs, then unknowns: a vector each. */
export type Derivatives = readonly (readonly number[])[];

/** Derivatives by the adjoint for each delay. All delays are worlds of one run. */
export async function derivativesOf(
  { model, seconds, unknowns, outputs, start }: GradientCase,
  substeps: number,
  delays: readonly number[],
  device: Device,
): Promise<Derivatives[]> {
  const worlds = delays.length;
  const simulation = await createSimulation(model, {
    device,
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
    worlds,
    parameters: [...new Set(unknowns.map(({ key }) => key))],
    outputs: [...new Set(outputs.flatMap(({ weights }) => Object.keys(weights)))],
    onWarning: () => {},
  });
  const starts = delays.map(start);
  for (const key of Object.keys(starts[0]))
    simulation.set(
      key,
      starts.flatMap((values) => [...values[key]]),
    );
  const found = delays.map((): number[][] => []);
  for (const { weights } of outputs) {
    simulation.forward();
    const ofWorlds = Object.entries(weights).map(([key, own]) => [key, delays.flatMap(() => [...own])]);
    simulation.backward(Object.fromEntries(ofWorlds));
    for (const { key, directions } of unknowns) {
      const gradient = await simulation.gradient(key);
      found.forEach((all, world) => {
        all.push(
          directions.map((direction) =>
            direction.reduce((sum, w, k) => sum + w * gradient[world * direction.length + k], 0),
          ),
        );
      });
    }
  }
  simulation.dispose();
  return found;
}
