import type { Entity, Plugin, Scene } from '@gradsim/core';
import {
  column,
  createScene,
  defineComponent,
  definePlugin,
  dot,
  exp,
  f32,
  fieldOn,
  index,
  kernel,
  perWorld,
  reference,
  sqrt,
  vec3,
} from '@gradsim/core';

// An example model from outside the project: motes pulled to a common centre, linked by springs, slowed by drag.
export const Mote = defineComponent('motes', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { default: 0, unit: 'm/s' }),
  mass: column(f32, { default: 1, unit: 'kg', range: 'positive' }),
});
export const Link = defineComponent('links', {
  ends: reference('motes', 2),
  stiffness: column(f32, { unit: 'N/m', range: 'nonNegative' }),
  restLength: column(f32, { unit: 'm', range: 'nonNegative' }),
});
/** Kernel of setup: links are stiffer the stronger the centre's pull is. */
const stiffen = kernel(
  'stiffen',
  { domain: 'links', reads: { stiffness: f32, strength: perWorld(f32) }, writes: { firmness: f32 } },
  ({ stiffness, strength }) => ({ firmness: stiffness.mul(sqrt(strength)) }),
);
const pull = kernel(
  'pull',
  {
    domain: 'motes',
    reads: { position: vec3, strength: perWorld(f32), centre: perWorld(vec3) },
    adds: { force: vec3 },
  },
  ({ position, strength, centre, force }) => {
    const d = position.sub(centre);
    force.add(d.mul(strength.neg()).div(dot(d, d).add(0.1)));
  },
);
/** Kernel of a wind that changes from substep to substep, times gusts that change from frame to frame. */
const blow = kernel(
  'blow',
  { domain: 'motes', reads: { wind: perWorld(vec3), gust: f32 }, adds: { force: vec3 } },
  ({ wind, gust, force }) => {
    force.add(wind.mul(gust));
  },
);
const link = kernel(
  'link',
  {
    domain: 'links',
    reads: { ends: index('motes', 2), position: fieldOn('motes', vec3), firmness: f32, restLength: f32 },
    adds: { force: fieldOn('motes', vec3) },
  },
  ({ ends: [i, j], position, firmness, restLength, force }) => {
    const d = position.at(i).sub(position.at(j));
    const length = sqrt(dot(d, d).add(1e-6));
    const f = d.mul(firmness.mul(length.sub(restLength)).div(length));
    force.add(i, f.neg());
    force.add(j, f);
  },
);
const move = kernel(
  'move',
  {
    domain: 'motes',
    reads: { position: vec3, velocity: vec3, mass: f32, force: vec3, drag: perWorld(f32) },
    writes: { position: vec3, velocity: vec3 },
  },
  ({ position, velocity, mass, force, drag }, { dt }) => {
    const v = velocity.add(force.div(mass).mul(dt)).mul(exp(drag.mul(dt).neg()));
    return { velocity: v, position: position.add(v.mul(dt)) };
  },
);
const energy = kernel(
  'energy',
  {
    domain: 'motes',
    reads: { velocity: vec3, mass: f32, tint: perWorld(f32) },
    adds: { energy: perWorld(f32) },
  },
  ({ velocity, mass, tint, energy: sum }) => {
    sum.add(dot(velocity, velocity).mul(mass).mul(0.5).mul(tint));
  },
);

export const central = definePlugin({
  name: 'central-force',
  contract: 1,
  components: [Mote, Link],
  build: ({ model }) => {
    model.addField('world', 'strength', f32, { fill: 2 });
    model.addField('world', 'centre', vec3, { fill: [0.1, 0.2, -0.1] });
    model.addField('world', 'drag', f32, { fill: 0.3 });
    model.addField('world', 'wind', vec3, { variesBy: 'substep', fill: 0 });
    model.addField('motes', 'gust', f32, { variesBy: 'frame', fill: 1 });
    model.addField('world', 'tint', f32, { variesBy: 'frame', fill: 1 });
    model.addPass('setup', stiffen);
    model.addPass('force', pull);
    model.addPass('force', blow);
    model.addPass('force', link);
    model.addPass('integrate', move);
    model.addPass('observe', energy);
  },
});

/** Creates a scene of four motes in a chain. */
export function toyScene(plugins: readonly Plugin[] = [central]): { scene: Scene; motes: Entity[] } {
  const scene = createScene(plugins);
  const motes = [
    [1, 0, 0],
    [0, 1, 0.2],
    [-1, 0.1, 0],
    [0.3, -1, 0.5],
  ].map((position, k) => scene.add(Mote, { position, mass: 1.5, velocity: [0, 0.3, 0.1] }, `mote ${k}`));
  for (let k = 0; k < 3; k++) scene.add(Link, { ends: [motes[k], motes[k + 1]], stiffness: 20 + k, restLength: 1 });
  return { scene, motes };
}

/** Returns repeatable values for an input over time: a sine wave. */
export const wave = (count: number, phase = 0): Float64Array =>
  Float64Array.from({ length: count }, (_, k) => Math.sin(1 + k * 0.7 + phase));
