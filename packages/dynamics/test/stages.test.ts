// Stages of integrators, for plugins.
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
  sin,
  sum,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { classical, rungeKutta, timeOfStage } from '../src/index.ts';

describe('rates that change with time', () => {
  const Wave = defineComponent('waves', { level: column(f32) }, { supply: sum(f32) });
  // y' = sin(3 t) / 2 in its own rates, and as much by a force of another plugin.
  const waves = (isStaged: boolean) =>
    definePlugin({
      name: 'waves',
      contract: 1,
      components: [Wave],
      build: ({ model }) => {
        rungeKutta(model, {
          elements: Wave,
          tableau: classical,
          states: { level: Wave.level },
          reads: { supply: Wave.supply },
          rates: ({ supply }, { time }) => ({ level: supply.add(sin(time.mul(3)).mul(0.5)) }),
        });
        model.addPass(
          'force',
          kernel('supply', { domain: Wave, adds: { supply: Wave.supply } }, ({ supply }, clock) =>
            supply.add(sin((isStaged ? timeOfStage(classical, clock) : clock.time).mul(3)).mul(0.5)),
          ),
        );
      },
    });
  /** Order of convergence, from the errors with 64 and 128 substeps. */
  async function orderWith(isStaged: boolean): Promise<number> {
    const error = async (substeps: number): Promise<number> => {
      const scene = createScene([waves(isStaged)]);
      scene.add(Wave, { level: 0 });
      const simulation = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 2,
        frameRate: 1,
        substeps,
      });
      simulation.forward();
      return Math.abs((await simulation.read('waves.level'))[0] - (1 - Math.cos(3)) / 3);
    };
    return Math.log2((await error(64)) / (await error(128)));
  }
  it('keep the order, and forces do that take the time of their stage; others make it 1', async () => {
    expect(await orderWith(true)).toBeGreaterThan(3.8);
    const plain = await orderWith(false);
    expect(plain).toBeGreaterThan(0.8);
    expect(plain).toBeLessThan(1.3);
  });
});
