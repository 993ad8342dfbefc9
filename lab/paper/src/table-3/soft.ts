import type { ObservationKind, SoftKind } from '@gradsim/examples';
import { estimateInstance, observe, RENDERERS, SOFT_KINDS } from '@gradsim/examples';
import type { Case, DrawCase } from './case.ts';

/**
 * Case of a soft body or cloth of `@gradsim/examples`: opaque, in front of a backdrop, filmed by one camera.
 *
 * @param seen observations to estimate from: the film, or positions.
 */
export const softCase =
  (kind: SoftKind, seen: ObservationKind = 'film'): DrawCase =>
  async (instance, device): Promise<Case> => {
    const { draw, size, errors } = SOFT_KINDS[kind];
    const drawn = draw(instance, { size, renderer: RENDERERS.softras });
    const observation = await observe(drawn, seen, device);
    const { model, timeline, parameters } = drawn;
    return {
      problem: { model, ...timeline, parameters, observations: [observation] },
      estimate: () => estimateInstance(drawn, observation, { device }),
      errors: (found) => {
        const { worstMass: _, worstVelocity: __, ...own } = errors(found);
        return own;
      },
      unknownOf: (parameter) => parameter.split(' ')[0],
    };
  };
