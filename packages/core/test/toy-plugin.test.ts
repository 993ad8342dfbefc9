import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  dot,
  exp,
  f32,
  f64Device,
  index,
  kernel,
  norm,
  on,
  perWorld,
  reference,
  vec3,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

// A model written from outside: motes pulled to a common centre, linked by springs, slowed by drag.
const Mote = defineComponent('motes', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { default: 0, unit: 'm/s' }),
  mass: column(f32, { default: 1, unit: 'kg', range: 'positive' }),
});
const Link = defineComponent('links', {
  ends: reference('motes', 2),
  stiffness: column(f32, { unit: 'N/m' }),
  restLength: column(f32, { unit: 'm' }),
});
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
const link = kernel(
  'link',
  {
    domain: 'links',
    reads: { ends: index('motes', 2), position: on('motes', vec3), stiffness: f32, restLength: f32 },
    adds: { force: on('motes', vec3) },
  },
  ({ ends: [i, j], position, stiffness, restLength, force }) => {
    const d = position.at(i).sub(position.at(j));
    const length = norm(d);
    const f = d.mul(stiffness.mul(length.sub(restLength)).div(length));
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
  { domain: 'motes', reads: { velocity: vec3, mass: f32 }, adds: { energy: perWorld(f32) } },
  ({ velocity, mass, energy: sum }) => {
    sum.add(dot(velocity, velocity).mul(mass).mul(0.5));
  },
);
const central = definePlugin({
  name: 'central-force',
  contract: 1,
  components: [Mote, Link],
  build: ({ model }) => {
    model.addField('world', 'strength', f32, { fill: 2 });
    model.addField('world', 'centre', vec3, { fill: [0.1, 0.2, -0.1] });
    model.addField('world', 'drag', f32, { fill: 0.3 });
    model.addPass('force', pull);
    model.addPass('force', link);
    model.addPass('integrate', move);
    model.addPass('observe', energy);
  },
});

function scene() {
  const s = createScene([central]);
  const motes = [
    [1, 0, 0],
    [0, 1, 0.2],
    [-1, 0.1, 0],
    [0.3, -1, 0.5],
  ].map((position) => s.add(Mote, { position, mass: 1.5, velocity: [0, 0.3, 0.1] }));
  for (let k = 0; k < 3; k++)
    s.add(Link, { ends: [motes[k], motes[k + 1]], stiffness: 20 + k, restLength: 1 });
  return s;
}

describe('a plugin from outside', () => {
  for (const memory of [1e6, 2000]) {
    it(`has the gradient that central differences give (${memory} bytes of history)`, async () => {
      const parameters = [
        'world.strength',
        'world.centre',
        'motes.mass',
        'motes.velocity',
        'motes.position',
        'links.stiffness',
        'links.restLength',
        'world.drag',
      ];
      const sim = await createSimulation(buildModel(scene()), {
        device: f64Device(),
        frames: 4,
        frameRate: 10,
        substeps: 5,
        parameters,
        memory,
        record: ['world.energy'],
        outputs: ['world.energy', 'motes.position'],
      });
      const loss = async (): Promise<number> => {
        sim.forward();
        const e = await sim.readFrames('world.energy');
        const x = await sim.read('motes.position');
        return e.reduce((a, b) => a + b) + x.reduce((a, b, k) => a + b * (k + 1), 0);
      };
      await loss();
      sim.backward({
        'world.energy': Array(4).fill(1),
        'motes.position': Array.from({ length: 12 }, (_, k) => k + 1),
      });
      const gradients = await Promise.all(parameters.map((p) => sim.gradient(p)));
      for (const [p, key] of parameters.entries()) {
        const base = Float64Array.from(sim.compiled.model.field(key).values!);
        for (let k = 0; k < base.length; k++) {
          const h = 1e-5;
          const at = async (x: number) => {
            const moved = Float64Array.from(base);
            moved[k] = x;
            sim.set(key, moved);
            return loss();
          };
          const difference = ((await at(base[k] + h)) - (await at(base[k] - h))) / (2 * h);
          sim.set(key, base);
          expect(
            Math.abs(gradients[p][k] - difference),
            `${key}[${k}] ${gradients[p][k]} ${difference}`,
          ).toBeLessThan(1e-6 * Math.max(1, Math.abs(difference)));
        }
      }
    });
  }
});
