import { addCloth, cloth } from '@gradsim/cloth';
import type { Model } from '@gradsim/core';
import { buildModel, createScene, definePlugin, Surfaces } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { particles } from '@gradsim/particles';
import { LookAtCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';

/** A sheet that is filmed from in front. */
export interface FilmedSheet {
  readonly model: Model;
  readonly timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number };
  /** The true velocities, [particle][axis]; the camera looks along y. */
  readonly velocity: Float64Array;
}

const [LONG, WIDE] = [1.5, 0.48];

/**
 * A sheet of (32 `fine` + 1) x (100 `fine` + 1) particles, 3,333 of them as it is, in the plane that the camera looks at.
 * Each particle has a velocity of its own: a throw, waves over the sheet, and a little that is drawn.
 */
export function filmedSheet(seed: number, size: number, frames: number): FilmedSheet {
  const random = randomNumbers(seed);
  const mesh = plane({ size: [LONG, WIDE], segments: [100, 32] });
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const waves = [0, 1, 2].map(() => ({
    amount: 0.3 + 0.3 * random(),
    x: 8 * random(),
    z: 8 * random(),
    phase: 6 * random(),
  }));
  const velocity = Float64Array.from(mesh.positions, (_, k) => {
    const [x, z] = [mesh.positions[k - (k % 3)], mesh.positions[k - (k % 3) + 2]];
    const { amount, x: along, z: across, phase } = waves[k % 3];
    return [0.5, 0.4, -0.3][k % 3] + amount * Math.sin(along * x + across * z + phase) + 0.05 * normal();
  });
  const scene = createScene([
    particles(),
    cloth(),
    colours(seed),
    render({ width: size, height: size, camera: LookAtCamera, colors: 'corner' }),
    softRas({ sigma: (Number(process.env.SIG ?? 0.7) / size) ** 2, gamma: Number(process.env.GAM ?? 0.01), near: 0.5, far: 4, backgroundColor: [0.1, 0.1, 0.15] }),
  ]);
  addCloth(scene, mesh, { mu: 3, lambda: 3, density: 0.5, damping: 5e-4, drag: 0.1, lift: 0.1, velocity });
  scene.add(LookAtCamera, { eye: [0, 2, 0], target: [0, 0, 0], up: [0, 0, 1], fieldOfView: 0.9 });
  return { model: buildModel(scene), timeline: { frames, frameRate: 60, substeps: 8 }, velocity };
}

/**
 * Colours that tell where on the sheet one is: growing along it, in waves, and by each particle's own. What grows smoothly
 * tells an estimate that is far off where to go, the rest how far exactly.
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

/** Errors of velocities, root mean square in m/s: in the plane of the picture, and along the way that the camera looks. */
export function velocityErrors({ velocity }: FilmedSheet, found: ArrayLike<number>) {
  const over = (axes: readonly number[], of: (k: number) => number): number => {
    let sum = 0;
    for (let k = 0; k < velocity.length; k++) if (axes.includes(k % 3)) sum += of(k) ** 2;
    return Math.sqrt((3 * sum) / (axes.length * velocity.length));
  };
  const off = (k: number): number => found[k] - velocity[k];
  const size = (k: number): number => velocity[k];
  return {
    inPicture: { truth: over([0, 2], size), error: over([0, 2], off) },
    towardsCamera: { truth: over([1], size), error: over([1], off) },
  };
}
