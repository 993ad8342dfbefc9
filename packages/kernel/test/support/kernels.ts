import { forRange, loop, when } from '../../src/language/control.ts';
import { abs, exp, norm, select, sin, sqrt, tanh } from '../../src/language/functions.ts';
import { kernel } from '../../src/language/kernel.ts';
import { f32, index, indexOn, on, perWorld, u32, vec3 } from '../../src/language/types.ts';
import type { randomFields } from './random.ts';

export const spring = kernel(
  'spring',
  {
    domain: 'springs',
    reads: {
      ends: index('particles', 2),
      position: on('particles', vec3),
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

/** Branches within loops within branches, on data of the own element. */
export const winding = kernel(
  'winding',
  { domain: 'points', reads: { x: f32, rounds: u32 }, writes: { y: f32, steps: u32 } },
  ({ x, rounds }) => {
    const start = when(
      x.gt(0),
      () => sin(x),
      () =>
        when(
          x.lt(-1),
          () => x.mul(x).add(tanh(x)),
          () => f32(0.25),
        ),
    );
    const summed = forRange(0, rounds, { sum: start, odd: u32(0) }, (k, { sum, odd }) => ({
      sum: when(
        sum.gt(1),
        () => sum.mul(0.5).add(k.toF32().mul(0.01)),
        () => sum.add(exp(x.mul(0.1))),
      ),
      odd: odd.add(k.and(1)),
    }));
    const halved = loop(
      { value: summed.sum.add(3), steps: summed.odd },
      ({ value }) => value.gt(0.5),
      ({ value, steps }) => ({
        value: select(steps.and(1).eq(0), value.mul(0.6), value.mul(0.8)),
        steps: steps.add(1),
      }),
    );
    return { y: halved.value.add(start), steps: halved.steps };
  },
);

/** A sum over a list of lists, like a gather. */
export const gather = kernel(
  'gather',
  {
    domain: 'nodes',
    reads: { starts: on('starts', u32), entries: indexOn('entries', 'slots'), slots: on('slots', vec3) },
    writes: { total: vec3 },
  },
  ({ starts, entries, slots }, { element }) => ({
    total: forRange(starts.at(element), starts.at(element.add(1)), vec3(0, 0, 0), (k, sum) =>
      sum.add(slots.at(entries.at(k))),
    ),
  }),
);

/** Fields for {@link spring}, over 9 particles. */
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
