import type { Plugin } from '@gradsim/core';
import { definePlugin, Surfaces } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';

/** Fraction of a colour that differs randomly from particle to particle; the rest varies smoothly over the body. */
const COLOUR_VARIATION = 0.25;

/**
 * Plugin that colours the particles of all surfaces so that every motion within an outline is visible: red, green and
 * blue increase along three axes of the body, and each particle differs slightly from that. The smooth part guides an
 * estimate that is far off, which random colours alone would not. For `render({ colors: 'corner' })`.
 */
export function paint(seed: number): Plugin {
  return definePlugin({
    name: 'paint',
    contract: 1,
    amends: [Surfaces],
    build: ({ model }) => {
      const random = randomNumbers(seed);
      const position = model.field(Particle.position).values!;
      const [low, high] = [Math.min, Math.max].map((choose) =>
        [0, 1, 2].map((axis) =>
          Array.from({ length: position.length / 3 }, (_, k) => position[3 * k + axis]).reduce((a, b) => choose(a, b)),
        ),
      );
      // A flat sheet has no third axis; between its first two lies another.
      const along = (particle: number, axis: number): number => {
        const [least, width] = [low[axis], high[axis] - low[axis]];
        if (width > 1e-6) return (position[3 * particle + axis] - least) / width;
        return (1 + along(particle, (axis + 1) % 3) - along(particle, (axis + 2) % 3)) / 2;
      };
      const vertexColors = Float64Array.from(
        position,
        (_, k) => 0.1 + 0.9 * ((1 - COLOUR_VARIATION) * along(Math.floor(k / 3), k % 3) + COLOUR_VARIATION * random()),
      );
      model.amend(Surfaces, (surface) => ({ ...surface, vertexColors }));
    },
  });
}
