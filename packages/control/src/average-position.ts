import type { FieldOf, Plugin, Vec3 } from '@gradsim/core';
import { bind, definePlugin, field, GradsimError, kernel, vec3 } from '@gradsim/core';
import type { FunctionLoss } from '@gradsim/optim';

/** Field `world.meanPosition`: the mean position that {@link averagePosition} computes, m. */
export const meanPosition = field('world', 'meanPosition', vec3, { unit: 'm' });

/**
 * Adds the field `world.meanPosition`, m: the unweighted mean of a position field over its elements, in every frame. For
 * particles of equal mass it is the centre of mass.
 *
 * ```ts
 * const scene = createScene([particles(), springs(), averagePosition(Particle.position)]);
 * ```
 * @throws when the model is built, if it has no such field or the field has no elements.
 */
export function averagePosition(position: FieldOf<Vec3>): Plugin {
  return definePlugin({
    name: '@gradsim/control/centre',
    contract: 1,
    build: ({ model }) => {
      const { size } = model.domain(model.field(position).domain);
      if (size === 0) throw new GradsimError('control/no-element', `centre: this scene has no ${position.domain}.`);
      const add = kernel(
        'centreOfAll',
        { domain: position.domain, reads: { point: vec3 }, adds: { centre: meanPosition } },
        ({ point, centre: sum }) => sum.add(point.div(size)),
      );
      model.addPass('observe', bind(add, { point: position }));
    },
  });
}

/**
 * Loss: the squared distance of `world.meanPosition` from a goal position in the last frame, divided by 3 (the mean over
 * x, y and z), m^2.
 *
 * ```ts
 * const losses = [goalPosition([2, 1, 0])];
 * ```
 * @throws for a goal that is not three finite numbers.
 */
export function goalPosition(
  goal: readonly number[],
  { weight = 1, name = 'goal position' }: { readonly weight?: number; readonly name?: string } = {},
): FunctionLoss<'position'> {
  if (goal.length !== 3 || !goal.every(Number.isFinite))
    throw new GradsimError('control/value-not-finite', `The goal position is [${goal.join(', ')}].`, {
      hint: 'It must be three finite numbers, m.',
    });
  return {
    name,
    weight,
    recordedFields: { position: meanPosition },
    evaluate({ position: seen }) {
      const gradient = new Float64Array(seen.length);
      const last = seen.length - 3;
      let value = 0;
      goal.forEach((wanted, axis) => {
        const off = seen[last + axis] - wanted;
        value += (off * off) / 3;
        gradient[last + axis] = (2 / 3) * off;
      });
      return { value, gradient: { position: gradient } };
    },
  };
}
