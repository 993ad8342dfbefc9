import type { FieldKey } from '@gradsim/core';
import { KINDS, type Kind } from '../../../packages/gradsim/src/new/kinds.ts';

/** Kinds of experiments of `gradsim new` that the page offers. */
export type KindName = 'ball' | 'slide' | 'pendulum';
export const KIND_NAMES: readonly KindName[] = ['ball', 'slide', 'pendulum'];

/** Kind by its name: its measurements, and what it finds. */
export const kindOf = (name: KindName): Kind => KINDS[name];

/** Words of the page about a kind. */
export interface Words {
  readonly title: string;
  /** Unknown that is the answer, the first that was estimated. */
  readonly answers: readonly string[];
  /** Meaning of the answer, by its name. */
  readonly meaning: Readonly<Record<string, string>>;
  /** Measurements that are asked for first; the others are folded. */
  readonly first: readonly string[];
}

export const WORDS: Readonly<Record<KindName, Words>> = {
  ball: {
    title: 'A ball bounces',
    answers: ['restitution'],
    meaning: { restitution: 'the part of its speed that the ball keeps at each bounce' },
    first: ['radius', 'fieldOfView'],
  },
  slide: {
    title: 'A box slides',
    answers: ['friction'],
    meaning: { friction: 'the force that brakes the box, as a part of the force that presses it on' },
    first: ['size', 'angle', 'fieldOfView'],
  },
  pendulum: {
    title: 'A pendulum swings',
    answers: ['gravity', 'damping'],
    meaning: {
      gravity: 'the acceleration of free fall where the film was made',
      damping: 'how fast its swings become smaller',
    },
    first: ['length', 'radius', 'fieldOfView'],
  },
};

/** Field of the model that holds the thing's position, m: curves show its last element. */
export const MOVING_FIELD: Readonly<Record<KindName, FieldKey>> = {
  ball: 'bodies.position',
  slide: 'bodies.position',
  pendulum: 'links.position',
};

/** Measurements that a page cannot use, since it has no other files. */
export const NOT_OF_PAGES: readonly string[] = ['video', 'background', 'camera', 'up'];

/** Measurements that the page does not ask for in a field. */
export const NOT_ASKED: readonly string[] = [
  ...NOT_OF_PAGES,
  // By buttons and clicks on the film.
  ...['first', 'last', 'track', 'upright', 'without', 'retouch'],
  // By a box over the film.
  ...['corners', 'reference'],
  // By two clicks and a length.
  ...['ends', 'span'],
];

/** Field, beside the measures, that holds the frame in which corners are marked. */
export const MARKED_FRAME = 'markedFrame';

/** Middle and size of the model's outline, which is drawn over the film while the search runs. */
export const OUTLINE = 'world.outlineCentroidAndSize';
/** Distances from the middle of the model's outline to its rim, which are known at the end. */
export const REACH = 'outlineRays.reach';
