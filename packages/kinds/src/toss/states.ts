import type { BoxState } from '@gradsim/film';
import type { Estimate } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';

const { position, velocity, orientation, angularVelocity } = Body;

/** Fields of the motion of the box, for `predict`. */
export const stateFields = [position, velocity, orientation, angularVelocity];

/** States of the box at an estimate of a problem that predicts {@link stateFields}, by frame. */
export function boxStates({ predicted }: Estimate): BoxState[] {
  const at = ({ key }: { readonly key: string }, components: number, frame: number): number[] => [
    ...predicted[key].slice(components * frame, components * (frame + 1)),
  ];
  return Array.from({ length: predicted[position.key].length / 3 }, (_, frame) => ({
    position: at(position, 3, frame),
    velocity: at(velocity, 3, frame),
    orientation: at(orientation, 4, frame),
    angularVelocity: at(angularVelocity, 3, frame),
  }));
}
