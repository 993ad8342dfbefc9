import type { Device, Model, Simulation, SimulationOptions } from '@gradsim/core';
import type { Program } from '@gradsim/kernel/device';
import { barriersOf, dispatchesOf } from '@gradsim/kernel/device';
import { openSimulation } from '../../src/tape/create.ts';
import { compiledOf } from '../../src/tape/simulation.ts';

/** Simulations of a model compiled normally (`ours`) and without aliasing (`apart`). */
export interface BothWays {
  readonly ours: Simulation;
  readonly apart: Simulation;
  /** Three numbers for each program of both: barriers with one between rows, barriers without, and dispatches. */
  readonly waits: { readonly ours: readonly number[][]; readonly apart: readonly number[][] };
}

export async function bothWays(model: Model, options: SimulationOptions): Promise<BothWays> {
  const open = async (isApart: boolean) => {
    const seen: Program[] = [];
    const device: Device = {
      ...options.device,
      createExecutor(spec) {
        seen.push(...spec.programs);
        return options.device.createExecutor(spec);
      },
    };
    const simulation = await openSimulation(model, { ...options, device }, { isApart });
    return { simulation, waits: seen.map(({ kernels }) => waitsOf(kernels)) };
  };
  const [ours, apart] = [await open(false), await open(true)];
  const waits = { ours: ours.waits, apart: apart.waits };
  return { ours: ours.simulation, apart: apart.simulation, waits };
}

const count = (barriers: readonly boolean[]): number => barriers.filter((isMet) => isMet).length;

const waitsOf = (kernels: Program['kernels']): number[] => {
  const isSmall = kernels.every(({ invocations }) => invocations <= 256);
  return [
    count(barriersOf(kernels, true)),
    // Only work that fits into a workgroup runs row after row without a barrier.
    isSmall ? count(barriersOf(kernels)) : 0,
    dispatchesOf(kernels).length,
  ];
};

export const arenaWords = (simulation: Simulation): number => {
  const { f32Words, u32Words } = compiledOf(simulation).layout.arena;
  return f32Words + u32Words;
};
