import type { Model } from '@gradsim/core';
import {
  buildModel,
  column,
  createScene,
  defineComponent,
  definePlugin,
  f32,
  fieldOn,
  kernel,
  perWorld,
} from '@gradsim/core';

// A model with inputs over time: carts on a line that a force pushes in each substep, another one in each frame, and
// that kernels compare with target positions.
const Cart = defineComponent('carts', {
  position: column(f32, { default: 0, unit: 'm' }),
  velocity: column(f32, { default: 0, unit: 'm/s' }),
  mass: column(f32, { default: 2, unit: 'kg' }),
});

const roll = kernel(
  'roll',
  {
    domain: 'carts',
    reads: { position: f32, velocity: f32, mass: f32, push: f32, wind: perWorld(f32) },
    writes: { position: f32, velocity: f32 },
  },
  ({ position, velocity, mass, push, wind }, { dt }) => {
    const v = velocity.add(push.add(wind).div(mass).mul(dt));
    return { velocity: v, position: position.add(v.mul(dt)) };
  },
);
/**
 * Kernel that adds to `missed`, for each cart, the squared distance from its wanted position times the frame's weight.
 */
const miss = kernel(
  'miss',
  {
    domain: 'carts',
    reads: { position: f32, wanted: f32, counts: perWorld(f32) },
    adds: { missed: perWorld(f32) },
  },
  ({ position, wanted, counts, missed }) => {
    const d = position.sub(wanted);
    missed.add(d.mul(d).mul(counts));
  },
);
/** Kernel for observations: the signed distance of each cart from its wanted position. */
const off = kernel(
  'off',
  {
    domain: 'carts',
    reads: { position: fieldOn('carts', f32), wanted: fieldOn('carts', f32) },
    writes: { off: f32 },
  },
  ({ position, wanted }, { element }) => ({ off: position.at(element).sub(wanted.at(element)) }),
);

const track = definePlugin({
  name: 'track',
  contract: 1,
  components: [Cart],
  build: ({ model }) => {
    model.addField('carts', 'push', f32, { variesBy: 'substep', fill: 0, unit: 'N' });
    model.addField('world', 'wind', f32, { variesBy: 'frame', fill: 0, unit: 'N' });
    model.addField('carts', 'wanted', f32, { variesBy: 'frame', fill: 0, unit: 'm' });
    model.addField('world', 'counts', f32, { variesBy: 'frame', fill: 1 });
    model.addField('world', 'unused', f32, { fill: 1 });
    model.addPass('integrate', roll);
    model.addPass('observe', miss);
    model.addPass('observe', off);
  },
});

export const TRACK = { frames: 6, frameRate: 10, substeps: 4 } as const;
/** Total number of substeps of the run. */
export const SUBSTEPS = (TRACK.frames - 1) * TRACK.substeps;
/** Duration of a substep, s. */
export const DT = 1 / (TRACK.frameRate * TRACK.substeps);
/** Mass of a cart, kg. */
export const MASS = 2;

/** Model of carts initially at rest at x = 0, 1, 2, ... m. */
export function carts(count = 2): Model {
  const scene = createScene([track]);
  for (let k = 0; k < count; k++) scene.add(Cart, { position: k, mass: MASS }, `cart ${k}`);
  return buildModel(scene);
}

/**
 * Positions of pushed carts in every frame, flat [frame][cart], m, computed substep by substep without the simulation.
 * @param force returns the push on a cart in a substep, N.
 */
export function rolled(count: number, force: (substep: number, cart: number) => number): Float64Array {
  const position = Array.from({ length: count }, (_, k) => k);
  const velocity = new Float64Array(count);
  const frames = [...position];
  for (let n = 0; n < SUBSTEPS; n++) {
    for (let c = 0; c < count; c++) {
      velocity[c] += (force(n, c) / MASS) * DT;
      position[c] += velocity[c] * DT;
    }
    if ((n + 1) % TRACK.substeps === 0) frames.push(...position);
  }
  return Float64Array.from(frames);
}
