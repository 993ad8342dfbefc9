import { standardNormal } from '@gradsim/base';
import { addCloth, cloth } from '@gradsim/cloth';
import type { Model } from '@gradsim/core';
import { buildModel, createScene, definePlugin, Surfaces } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import type { Loss } from '@gradsim/optim';
import { lossOf, randomNumbers } from '@gradsim/optim';
import { particles } from '@gradsim/particles';
import { LookAtCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';

/** A sheet filmed from the front. */
export interface FilmedSheet {
  readonly model: Model;
  readonly timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number };
  /** True initial velocities, `[particle][axis]`, m/s. */
  readonly velocity: Float64Array;
  /** Initial positions of the particles, `[particle][axis]`, m. */
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

const [LONG, WIDE] = [1.5, 0.48];
const EYE = [0, 2, 0] as const;

/**
 * A slack sheet of 101 x 33 = 3333 particles in a plane facing the camera. Each particle has its own velocity: that of
 * a common throw, plus waves over the sheet, plus a small random part.
 */
export function filmedSheet(seed: number, size: number, frames: number): FilmedSheet {
  const random = randomNumbers(seed);
  const mesh = plane({ size: [LONG, WIDE], segments: [100, 32] });
  const normal = (): number => standardNormal(random);
  const waves = [0, 1, 2].map(() => ({
    amount: 0.3 + 0.3 * random(),
    x: 8 * random(),
    z: 8 * random(),
    phase: 6 * random(),
  }));
  const velocity = Float64Array.from(mesh.positions, (_, k) => {
    const [x, z] = [mesh.positions[k - (k % 3)], mesh.positions[k - (k % 3) + 2]];
    const { amount, x: along, z: across, phase } = waves[k % 3];
    return [0.5, 0.4, -0.3][k % 3] + amount * Math.sin(along * x + across * z + phase) + 0.02 * normal();
  });
  const scene = createScene([
    particles(),
    cloth(),
    colours(seed),
    render({ width: size, height: size, camera: LookAtCamera, colors: 'corner' }),
    softRas({
      sigma: (0.7 / size) ** 2,
      gamma: 0.01,
      near: 0.5,
      far: 4,
      backgroundColor: [0.1, 0.1, 0.15],
    }),
  ]);
  addCloth(scene, mesh, {
    mu: 0.5,
    lambda: 0.5,
    density: 0.5,
    damping: 1e-4,
    drag: 0.1,
    lift: 0.1,
    velocity,
  });
  scene.add(LookAtCamera, { eye: EYE, target: [0, 0, 0], up: [0, 0, 1], fieldOfView: 0.9 });
  return {
    model: buildModel(scene),
    timeline: { frames, frameRate: 60, substeps: 8 },
    velocity,
    positions: mesh.positions,
    triangles: mesh.triangles,
  };
}

/**
 * Colours that identify positions on the sheet: a gradient along it, waves, and random differences between particles.
 * The smooth part guides an estimate far from the truth; the random part makes it accurate.
 */
const colours = (seed: number) =>
  definePlugin({
    name: 'colours',
    contract: 1,
    amends: [Surfaces],
    build: ({ model }) => {
      const random = randomNumbers(seed + 1);
      const position = model.field('particles.position').values!;
      const waves = [0, 1, 2].map(() => [20 + 10 * random(), 20 + 10 * random(), 6 * random()]);
      const vertexColors = Float64Array.from(position, (_, k) => {
        const channel = k % 3;
        const [x, , z] = [0, 1, 2].map((axis) => position[k - channel + axis]);
        const along = [x / LONG + 0.5, z / WIDE + 0.5, 0.5 - x / LONG / 2 - z / WIDE / 2][channel];
        const [a, b, phase] = waves[channel];
        const wave = 0.5 + 0.5 * Math.sin(a * x + phase) * Math.sin(b * z + phase);
        return 0.05 + 0.95 * (0.5 * along + 0.3 * wave + 0.2 * random());
      });
      model.amend(Surfaces, (surface) => ({ ...surface, vertexColors }));
    },
  });

/**
 * Loss that smooths what a film leaves undetermined: `weight` times the sum of squared differences of neighbouring
 * particles' velocities.
 */
export function smoothOverSheet({ triangles }: FilmedSheet, weight: number): Loss {
  return lossOf({
    name: 'roughness',
    weight,
    unknowns: { velocity: 'particles.velocity' },
    evaluate: ({ velocity }) => {
      let value = 0;
      const gradient = new Float64Array(velocity.length);
      for (let t = 0; t < triangles.length; t += 3) {
        for (let side = 0; side < 3; side++) {
          const [a, b] = [triangles[t + side], triangles[t + ((side + 1) % 3)]];
          for (let axis = 0; axis < 3; axis++) {
            const step = velocity[3 * a + axis] - velocity[3 * b + axis];
            value += step * step;
            gradient[3 * a + axis] += 2 * step;
            gradient[3 * b + axis] -= 2 * step;
          }
        }
      }
      return { value, gradient: { velocity: gradient } };
    },
  });
}

/**
 * Errors of velocities, m/s: root mean square, median and ninth decile, separately across the line of sight, which a
 * film determines well, and along it, which a film hardly determines.
 */
export function velocityErrors({ velocity, positions }: FilmedSheet, found: ArrayLike<number>) {
  const off = velocity.map((v, k) => found[k] - v);
  return { truth: split(positions, velocity), error: split(positions, off) };
}

function split(positions: ArrayLike<number>, vectors: ArrayLike<number>) {
  const across: number[] = [];
  const along: number[] = [];
  for (let k = 0; k < vectors.length; k += 3) {
    const sight = EYE.map((e, axis) => positions[k + axis] - e);
    const depth = sight.reduce((sum, s, axis) => sum + s * vectors[k + axis], 0) / Math.hypot(...sight);
    const all = Math.hypot(vectors[k], vectors[k + 1], vectors[k + 2]);
    across.push(Math.sqrt(Math.max(0, all * all - depth * depth)));
    along.push(Math.abs(depth));
  }
  const summary = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return {
      rms: Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length),
      median: sorted[Math.floor(0.5 * sorted.length)],
      ninth: sorted[Math.floor(0.9 * sorted.length)],
    };
  };
  return { across: summary(across), along: summary(along) };
}
