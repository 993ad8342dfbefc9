import {
  buildModel,
  column,
  createScene,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
  recordOf,
} from '@gradsim/core';
import type { Observation, SearchOptions } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';

// A mass on a spring: over six swings the loss over its stiffness has a minimum wherever swings fall together now and then.
const Mass = defineComponent('masses', {
  position: column(f32, { default: 1, unit: 'm' }),
  velocity: column(f32, { default: 0, unit: 'm/s' }),
  stiffness: column(f32, { default: 40, unit: '1/s^2' }),
});
const swing = kernel(
  'swing',
  {
    domain: 'masses',
    reads: { position: f32, velocity: f32, stiffness: f32 },
    writes: { position: f32, velocity: f32 },
  },
  ({ position, velocity, stiffness }, { dt }) => {
    const v = velocity.sub(position.mul(stiffness).mul(dt));
    return { velocity: v, position: position.add(v.mul(dt)) };
  },
);
const springs = definePlugin({
  name: 'springs',
  contract: 1,
  components: [Mass],
  build: ({ model }) => {
    model.addPass('integrate', swing);
  },
});

const RUN = { frames: 120, frameRate: 20, substeps: 6 } as const;
const scene = createScene([springs]);
scene.add(Mass, {});
const model = buildModel(scene);
const device = f64Device();
const target = await recordOf(model, 'masses.position', { device, ...RUN });

/** Stiffness estimated by a search that starts at `factor` times the true one. */
const found = async (
  factor: number,
  search?: SearchOptions,
  observation: Observation = { field: 'masses.position', target },
): Promise<number> => {
  const initial = 40 * factor;
  const { parameters } = await estimate(
    {
      model,
      ...RUN,
      parameters: [{ name: 'stiffness', field: 'masses.stiffness', transform: 'log', initial }],
      observations: [observation],
      ...(search ? { options: { search } } : {}),
    },
    { device },
  );
  return parameters.stiffness.estimate;
};

it.each([0.1, 10])(
  'a stiffness is found from %f times the truth with default search options, but not with a single horizon',
  async (factor) => {
    expect(await found(factor)).toBeCloseTo(40, 6);
    // From all frames at once it does not: this is what growing horizons are for.
    expect(Math.abs((await found(factor, { horizons: [1] })) - 40)).toBeGreaterThan(1);
  },
);

it('with growing horizons and `iterations: 0` the start value remains', async () => {
  expect(await found(1.5, { iterations: 0 })).toBeCloseTo(60, 9);
});

it('a stiffness is found from 3 times the truth by growing horizons, if each frame is the mean of 6 instants', async () => {
  const instants = 6;
  const blurred = Float64Array.from({ length: target.length / instants }, (_, frame) => {
    const exposed = target.subarray(frame * instants, (frame + 1) * instants);
    return exposed.reduce((sum, x) => sum + x / instants, 0);
  });
  const observation = { field: 'masses.position', target: blurred, instants };
  expect(await found(3, undefined, observation)).toBeCloseTo(40, 6);
});
