import { GradsimError } from '@gradsim/base';
import { cpuDevice, type Device } from '@gradsim/kernel';
import { freshSeed, randomNumbers, randomValues } from '@gradsim/kernel/testing';
import { clockOf } from '../model/clock.ts';
import type { Model } from '../model/model.ts';
import { buildModel } from '../scene/build.ts';
import type { Scene } from '../scene/scene.ts';
import { openSimulation } from '../tape/create.ts';
import type { Simulation } from '../tape/simulation.ts';
import type { DeviceTolerances } from './devices.ts';
import { checkDevices } from './devices.ts';
import type { GradientCheckOptions } from './gradients.ts';
import { checkGradients } from './gradients.ts';
import type { KeyedRollout } from './rollout.ts';
import { createRollout, isFrameField, momentsOf, readOutputs, refuseUnknownIn, withKeys } from './rollout.ts';

export interface PluginCheckOptions extends GradientCheckOptions, DeviceTolerances {
  /** Devices, the caller's to dispose of. Default: the CPU. */
  readonly devices?: readonly Device[];
}

/** A property of a model's runs, and what is wrong with it; null if it holds. */
export interface PluginFinding {
  readonly property: string;
  readonly problem: string | null;
}

export interface PluginCheck {
  readonly seed: number;
  readonly findings: readonly PluginFinding[];
}

/** Results of a run: outputs and gradients, by key. */
type Results = ReadonlyMap<string, Float64Array>;

/**
 * Checks what a plugin must keep, on a scene that uses it: gradients against tangents and differences
 * (`checkGradients`), devices against doubles ({@link checkDevices}), and bit for bit that a run repeats, that it
 * does not depend on the worlds beside it, on how much memory a gradient has, on being stepped frame by frame, and on
 * being resumed from its state.
 *
 * ```ts
 * import { checkPlugin } from '@gradsim/core/testing';
 *
 * await checkPlugin(scene, {
 *   frames: 4, frameRate: 10, substeps: 5, parameters: [Mote.mass], outputs: [Mote.position],
 * });
 * ```
 * @returns all properties, with the seed that repeats them.
 * @throws for unknown options, for a plugin of whose components the scene has no element, and with all of them if one
 * does not hold. Where differences disagree with the derivative, the message names the
 * first substep and element at which runs to both sides part from it.
 */
export async function checkPlugin(scene: Scene, options: PluginCheckOptions): Promise<PluginCheck> {
  refuseUnknownIn('checkPlugin', options, {
    devices: true,
    transposeTolerance: true,
    differenceTolerance: true,
    stateTolerance: true,
    gradientTolerance: true,
  });
  const { devices, transposeTolerance, differenceTolerance, stateTolerance, gradientTolerance, ...given } = options;
  const { seed = freshSeed() } = given;
  const own = devices ? undefined : cpuDevice();
  const [device] = devices ?? [own!];
  const model = buildModel(scene);
  refuseIdle(scene);
  const run = withKeys(model, { ...given, seed });
  const findings: PluginFinding[] = [];
  const check = async (property: string, holds: () => Promise<string | null | undefined>): Promise<void> => {
    const wrong = await holds().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    findings.push({ property, problem: wrong ?? null });
  };
  try {
    await check('gradients', async () => {
      await checkGradients(model, { ...run, transposeTolerance, differenceTolerance });
      return null;
    });
    await check('devices', async () => {
      await checkDevices(model, { ...run, devices: devices ?? [device], stateTolerance, gradientTolerance });
      return null;
    });
    const alone = await resultsOf(model, run, { device, seed });
    const again = await resultsOf(model, run, { device, seed });
    await check('the same bits in a second run', async () => difference(alone, again));
    await check('the same bits beside other worlds', async () =>
      difference(alone, await resultsOf(model, run, { device, seed, worlds: 3 })),
    );
    await check('the same bits with little memory', async () =>
      difference(alone, await resultsOf(model, run, { device, seed, memory: await leastMemory(model, run, device) })),
    );
    const whole = await statesOf(model, run, device, 'forward');
    await check('the same bits frame by frame', async () =>
      difference(whole, await statesOf(model, run, device, 'step')),
    );
    await check('the same bits resumed from a state', async () =>
      difference(whole, await statesOf(model, run, device, 'resume')),
    );
  } finally {
    own?.dispose();
  }
  if (findings.some(({ problem }) => problem))
    throw new GradsimError(
      'core/plugin-check-failed',
      [
        `${findings.filter(({ problem }) => problem).length} of ${findings.length} checks failed (seed ${seed}).`,
        ...findings.map(({ property, problem }) => (problem ? `FAILED ${property}: ${problem}` : `ok     ${property}`)),
      ].join('\n'),
    );
  return { seed, findings };
}

/** @throws for a plugin with components of which the scene has no element: nothing of it would be tested. */
function refuseIdle(scene: Scene): void {
  for (const { name, components = [] } of scene.plugins) {
    const own = components.filter((component) => scene.components.includes(component));
    if (own.length > 0 && own.every((component) => scene.entities(component).length === 0))
      throw new GradsimError(
        'core/nothing-to-check',
        `checkPlugin: the scene has no element of ${own.map((component) => component.name).join(', ')}, so nothing of ${name} is tested.`,
        { hint: 'Add one, or leave the plugin out.' },
      );
  }
}

/** Names the first key whose values differ in a bit; null if none does. */
function difference(expected: Results, found: Results): string | null {
  for (const [key, values] of expected) {
    const other = found.get(key)!;
    const k = values.findIndex((value, at) => !Object.is(value, other[at]));
    if (k >= 0) return `${key} differs, in its number ${k}: ${other[k]} for ${values[k]}.`;
  }
  return null;
}

/**
 * Outputs and gradients of a run, those of the middle world if there are several: the others have parameters that are a
 * thousandth larger.
 */
async function resultsOf(
  model: Model,
  run: KeyedRollout,
  { device, seed, worlds = 1, memory }: { device: Device; seed: number; worlds?: number; memory?: number },
): Promise<Results> {
  const rollout = await createRollout(model, { ...run, ...(memory && { memory }) }, device, 'adjoint', worlds);
  const { simulation, starts } = rollout;
  const random = randomNumbers(seed);
  const middle = Math.floor(worlds / 2);
  const ownPart = (values: Float64Array, blocks: number): Float64Array => {
    const size = values.length / (blocks * worlds);
    return Float64Array.from({ length: blocks * size }, (_, k) => {
      const block = Math.floor(k / size);
      return values[(block * worlds + middle) * size + (k % size)];
    });
  };
  try {
    for (const [key, start] of starts)
      if (model.field(key).variesBy === undefined)
        for (let w = 0; w < worlds; w++)
          if (w !== middle)
            simulation.set(
              key,
              start.map((x) => x * 1.001),
              w,
            );
    simulation.forward();
    const results = new Map<string, Float64Array>();
    const seeds: Record<string, Float64Array> = {};
    for (const [key, values] of await readOutputs(rollout)) {
      const blocks = rollout.recorded.includes(key) ? run.frames : 1;
      const part = ownPart(values, blocks);
      results.set(key, part);
      const weights = randomValues(random, part.length);
      const size = part.length / blocks;
      seeds[key] = Float64Array.from({ length: values.length }, (_, k) => {
        const block = Math.floor(k / (size * worlds));
        return weights[block * size + (k % size)];
      });
    }
    simulation.backward(seeds);
    for (const key of run.parameters) {
      results.set(`the gradient of ${key}`, ownPart(await simulation.gradient(key), momentsOf(model, run, key)));
    }
    return results;
  } finally {
    simulation.dispose();
  }
}

/** The least memory, bytes, to a factor of 1.5, with which a gradient of the run can be computed. */
async function leastMemory(model: Model, run: KeyedRollout, device: Device): Promise<number> {
  for (let bytes = 64; ; bytes *= 1.5)
    try {
      (await createRollout(model, { ...run, memory: bytes }, device, 'adjoint')).simulation.dispose();
      return bytes;
    } catch (error) {
      if ((error as GradsimError).code !== 'core/memory-budget') throw error;
    }
}

/** States among the outputs at the end of a run: at once, frame by frame, or resumed in its middle by another simulation. */
async function statesOf(
  model: Model,
  run: KeyedRollout,
  device: Device,
  how: 'forward' | 'step' | 'resume',
): Promise<Results> {
  const { frames, substeps, values = {} } = run;
  const open: Simulation[] = [];
  const made = async (): Promise<Simulation> => {
    const simulation = await openSimulation(
      model,
      { device, frames, substeps, ...clockOf(run), derivative: 'none' },
      { isFree: true },
    );
    open.push(simulation);
    for (const [key, given] of Object.entries(values)) simulation.set(key, given);
    return simulation;
  };
  try {
    let simulation = await made();
    // A run of one frame has no step.
    if (how === 'forward' || frames === 1) simulation.forward();
    else
      for (let frame = 1; frame < frames; frame++) {
        simulation.step();
        if (how === 'step' || frame !== Math.floor(frames / 2)) continue;
        const state = await simulation.state();
        simulation = await made();
        simulation.continueFrom(state);
      }
    const results = new Map<string, Float64Array>();
    for (const key of run.outputs) if (!isFrameField(model, key)) results.set(key, await simulation.read(key));
    return results;
  } finally {
    for (const simulation of open) simulation.dispose();
  }
}
