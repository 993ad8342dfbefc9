import { buildModel, createScene, definePlugin, f32, field, kernel, type Model, max, vec3 } from '@gradsim/core';
import { neighbours } from '@gradsim/dynamics';
import { addParticles, Particle, particles } from '@gradsim/particles';

/** Reach of a particle, and distance between neighbours at first, m; density at rest, kg/m^3. */
const [H, SPACING, REST] = [0.1, 0.05, 1000];
const MASS = REST * SPACING ** 3;
/** Particles are this much closer to one another at first than at rest: they press one another apart. */
const PRESSED = 0.97;
const density = field('particles', 'density', f32, { unit: 'kg/m^3' });

/** Duration of a substep, s, and the number of them between searches for neighbours. */
export const SUBSTEP = 5e-4;
export const REFRESH = 4;
/** Stiffness and viscosity of the water, which loops beside it take too. */
export const WATER = { stiffness: 5, viscosity: 2 } as const;
export const stiffness = field('world', 'stiffness', f32);
const viscosity = field('world', 'viscosity', f32);

/** Places of the particles of a cube of water, x, y, z of each, m. */
export const placesOf = (side: number): number[] =>
  Array.from({ length: side ** 3 }, (_, k) => [Math.floor(k / side ** 2), Math.floor(k / side) % side, k % side])
    .flat()
    .map((place) => PRESSED * SPACING * place);

/** Root mean square distance of particles from their middle, m. */
export function spreadOf(x: Float64Array): number {
  const count = x.length / 3;
  const [sums, squares] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  x.forEach((value, k) => {
    sums[k % 3] += value;
    squares[k % 3] += value ** 2;
  });
  return Math.sqrt([0, 1, 2].reduce((sum, axis) => sum + squares[axis] / count - (sums[axis] / count) ** 2, 0));
}

/** Cube of water that falls and swells: smoothed particles (M. Mueller et al. 2003), weakly compressible. */
export function waterModel(side: number): Model {
  const water = definePlugin({
    name: 'water',
    contract: 1,
    requires: ['@gradsim/particles'],
    build: ({ model }) => {
      const near = neighbours(model, { points: Particle, distance: H, capacity: 90, maxSpeed: 4, refresh: REFRESH });
      model.addField(stiffness, { fill: WATER.stiffness });
      model.addField(viscosity, { fill: WATER.viscosity });
      const weigh = kernel('weigh', { domain: Particle, reads: near.reads, writes: { density } }, (fields) => {
        const sum = near.ofElement(fields).sum(f32, ({ distance }) => {
          const q = max(
            distance
              .mul(distance)
              .neg()
              .add(H ** 2),
            0,
          );
          return q.mul(q).mul(q);
        });
        return { density: sum.add(H ** 6).mul((MASS * 315) / (64 * Math.PI * H ** 9)) };
      });
      const press = kernel(
        'press',
        {
          domain: Particle,
          reads: { ...near.reads, density, velocity: Particle.velocity, stiffness, viscosity },
          adds: { force: Particle.force },
        },
        ({ density, velocity, stiffness, viscosity, force, ...fields }) => {
          const pull = near.ofElement(fields).sum(vec3, ({ index, offset, distance }) => {
            const other = density.at(index);
            const inside = max(distance.neg().add(H), 0);
            const pressure = stiffness.mul(density.add(other).sub(2 * REST)).mul(0.5);
            return velocity
              .at(index)
              .sub(velocity)
              .mul(viscosity)
              .sub(offset.mul(pressure.mul(inside).div(distance)))
              .mul(inside.mul((45 * MASS ** 2) / (Math.PI * H ** 6)).div(density.mul(other)));
          });
          force.add(pull);
        },
      );
      model.addPass('force', weigh);
      model.addPass('force', press);
    },
  });
  const scene = createScene([particles(), water]);
  addParticles(scene, placesOf(side), { mass: MASS });
  return buildModel(scene);
}
