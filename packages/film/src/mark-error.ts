import type { Size } from '@gradsim/video';

/** Standard deviation of a mark that a person sets, as a part of the picture's longer side, and at least, px. */
const [MARK, FINEST_MARK] = [1 / 640, 0.5];

/** Standard deviation along each axis of a mark that a person sets in a picture, px. */
export const markError = ({ width, height }: Size): number => Math.max(FINEST_MARK, Math.max(width, height) * MARK);
