import type { BoxState } from '@gradsim/film';
import type { Check, Estimate } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';

const { position, velocity, orientation, angularVelocity } = Body;

/** Checks without findings, so that an estimate predicts the motion of the box. */
export const stateChecks: readonly Check[] = [position, velocity, orientation, angularVelocity].map((field) => ({
  field,
  of: () => undefined,
}));

/** States of the box at an estimate of a problem with {@link stateChecks}, by frame. */
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
