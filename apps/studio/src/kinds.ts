import type { Kind } from '@gradsim/kinds';
import { KINDS as ALL } from '@gradsim/kinds';

/** Kinds of experiments that the page offers: those of films that have a drawing. */
export const KINDS: readonly Kind[] = ALL.filter(({ measures, drawing }) => 'video' in measures && drawing);

/** Kind by its name. */
export const kindOf = (name: string): Kind => KINDS.find((kind) => kind.name === name)!;

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
