import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { parametersOf } from '../physical.ts';
import type { Payload } from '../reading/joint-log.ts';
import { LINK_PARAMETERS } from '../regressor.ts';

/**
 * Parameters of a payload, ten a link, as those of links.
 * @throws GradsimError for a link that the robot does not have.
 */
export function parametersOfPayload({ name, links }: Robot, { link, mass, centre }: Payload): Float64Array {
  const at = links.findIndex((one) => one.name === link);
  if (at < 0)
    throw new GradsimError('robots/payload-link', `${name} has no link "${link}", which carries the payload.`, {
      element: link,
      hint: `Its links are ${links.map((one) => one.name).join(', ')}.`,
    });
  const parameters = new Float64Array(LINK_PARAMETERS.length * links.length);
  const inertia = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  parameters.set(parametersOf([{ mass, centre, inertia }], []), LINK_PARAMETERS.length * at);
  return parameters;
}
