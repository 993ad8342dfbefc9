import type { BoxState } from '@gradsim/film';
import type { Estimate } from '@gradsim/optim';

/** Keys of the fields of the only body, by what they hold: names, so that the packages of physics are not loaded for them. */
const FIELDS = {
  position: 'bodies.position',
  velocity: 'bodies.velocity',
  orientation: 'bodies.orientation',
  angularVelocity: 'bodies.angularVelocity',
} as const;

/** Fields of the motion of a box, for `predict`. */
export const stateFields: readonly string[] = Object.values(FIELDS);

/** States of a box at an estimate of a problem that predicts {@link stateFields}, by frame. */
export function boxStates({ predicted }: Estimate): BoxState[] {
  const at = (key: string, components: number, frame: number): number[] => [
    ...predicted[key].slice(components * frame, components * (frame + 1)),
  ];
  return Array.from({ length: predicted[FIELDS.position].length / 3 }, (_, frame) => ({
    position: at(FIELDS.position, 3, frame),
    velocity: at(FIELDS.velocity, 3, frame),
    orientation: at(FIELDS.orientation, 4, frame),
    angularVelocity: at(FIELDS.angularVelocity, 3, frame),
  }));
}
