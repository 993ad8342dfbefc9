import { forRange } from '../../src/language/control.ts';
import { abs, norm, sqrt } from '../../src/language/functions.ts';
import { kernel } from '../../src/language/kernel.ts';
import { f32, fieldOn, index, indexOn, perWorld, u32, vec3 } from '../../src/language/types.ts';
import type { randomFields } from './random.ts';

export const spring = kernel(
  'spring',
  {
    domain: 'springs',
    reads: {
      ends: index('particles', 2),
      position: fieldOn('particles', vec3),
      stiffness: f32,
      gravity: perWorld(vec3),
    },
    writes: { force: vec3, energy: f32 },
  },
  ({ ends: [i, j], position, stiffness, gravity }) => {
    const d = position.at(i).sub(position.at(j));
    const length = norm(d);
    return {
      force: d.mul(stiffness.mul(length.sub(1)).div(length)).add(gravity),
      energy: stiffness.mul(sqrt(abs(length.sub(1)).add(0.1))).mul(0.5),
    };
  },
);

/** Kernel of a sum over a list of lists, like a gather. */
export const gather = kernel(
  'gather',
  {
    domain: 'nodes',
    reads: { starts: fieldOn('starts', u32), entries: indexOn('entries', 'slots'), slots: fieldOn('slots', vec3) },
    writes: { total: vec3 },
  },
  ({ starts, entries, slots }, { element }) => ({
    total: forRange(starts.at(element), starts.at(element.add(1)), vec3(0, 0, 0), (k, sum) =>
      sum.add(slots.at(entries.at(k))),
    ),
  }),
);

/** Random values of the fields of {@link spring}, which refers to 9 particles. */
export const springInputs = (
  { numbers, wholes }: ReturnType<typeof randomFields>,
  elements: number,
  worlds: number,
) => ({
  ends: wholes(2 * elements, 0, 9),
  position: numbers(3 * 9 * worlds),
  stiffness: numbers(elements * worlds, 1, 2),
  gravity: numbers(3 * worlds),
});
