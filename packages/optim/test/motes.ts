import type { Model } from '@gradsim/core';
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  exp,
  f32,
  f64Device,
  kernel,
  perWorld,
  vec3,
} from '@gradsim/core';
import type { Observation, ParameterSpec, Problem } from '@gradsim/optim';

// A small external model that is estimated in a moment: motes that fall with drag and are observed.
export const Mote = defineComponent('motes', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { default: 0, unit: 'm/s' }),
  drag: column(f32, { default: 0.5, unit: '1/s' }),
});

const fall = kernel(
  'fall',
  {
    domain: 'motes',
    reads: { position: vec3, velocity: vec3, gravity: perWorld(vec3), drag: f32 },
    writes: { position: vec3, velocity: vec3 },
  },
  ({ position, velocity, gravity, drag }, { dt }) => {
    const v = velocity.mul(exp(drag.mul(dt).neg())).add(gravity.mul(dt));
    return { velocity: v, position: position.add(v.mul(dt)) };
  },
);
/** Kernel for the observation `seen`: the position times a zoom factor, which nothing else reads. */
const look = kernel(
  'look',
  { domain: 'motes', reads: { position: vec3, zoom: perWorld(f32) }, writes: { seen: vec3 } },
  ({ position, zoom }) => ({ seen: position.mul(zoom) }),
);

export const motes = definePlugin({
  name: 'motes',
  contract: 1,
  components: [Mote],
  build: ({ model }) => {
    model.addField('world', 'gravity', vec3, { fill: [0, TRUTH.gravity, 0] });
    model.addField('world', 'zoom', f32, { fill: 1 });
    model.addField('motes', 'seen', vec3);
    model.addPass('integrate', fall);
    model.addPass('observe', look);
  },
});

export const RUN = { frames: 24, frameRate: 24, substeps: 2 } as const;
export const TRUTH = { gravity: -9.81, drag: 0.5, vx: 0.4 };

/** Model of two motes, tossed up and to opposite sides. */
export function motesModel(drag: number = TRUTH.drag): Model {
  const scene = createScene([motes]);
  scene.add(Mote, { position: [0, 1, 0], velocity: [TRUTH.vx, 1, 0], drag }, 'the left mote');
  scene.add(Mote, { position: [0.5, 1, 0], velocity: [-0.2, 2, 0], drag }, 'the right mote');
  return buildModel(scene);
}

/**
 * Observation `seen` of a run of the model, plus normal noise of the standard deviation `noise`.
 * @param normal draws standard normal numbers.
 */
export async function seenBy(
  model: Model,
  noise = 0,
  normal = (): number => 0,
  run: Pick<Problem, 'frames' | 'frameRate' | 'substeps'> = RUN,
): Promise<Float64Array> {
  const simulation = await createSimulation(model, { device: f64Device(), ...run, record: ['motes.seen'] });
  simulation.forward();
  const seen = await simulation.readFrames('motes.seen');
  simulation.dispose();
  return seen.map((x) => x + noise * normal());
}

export const gravity: ParameterSpec = {
  name: 'gravity',
  field: 'world.gravity',
  component: 1,
  initial: -4,
  range: [-20, -1],
  unit: 'm/s2',
  truth: TRUTH.gravity,
};
export const drag: ParameterSpec = {
  name: 'drag',
  field: 'motes.drag',
  transform: 'log',
  initial: 0.1,
  range: [0.05, 5],
};
export const vx: ParameterSpec = {
  name: 'vx',
  field: 'motes.velocity',
  elements: [0],
  component: 0,
  initial: 0,
};

export function motesProblem(
  target: ArrayLike<number>,
  rest: Partial<Problem> & { observation?: Partial<Observation> } = {},
): Problem {
  const { observation, ...others } = rest;
  return {
    model: motesModel(),
    ...RUN,
    parameters: [gravity, drag, vx],
    observations: [{ field: 'motes.seen', target, ...observation }],
    ...others,
  };
}

/** Unknown initial positions and velocities of both motes, so that only the zoom determines their scale. */
export const motesStarts: readonly ParameterSpec[] = ['position', 'velocity'].flatMap((field) =>
  [0, 1].flatMap((element) =>
    [0, 1].map((component) => ({
      name: `${field} ${element} ${component}`,
      field: `motes.${field}`,
      elements: [element],
      component,
      initial: 0.3 + element,
    })),
  ),
);
