/**
 * Sentence for the report on length and gravity, of which a film determines only the ratio. @param ratio gravity along
 * y divided by length, 1/s^2.
 */
export const ratioNote = (ratio: number, truth: { readonly gravity: number; readonly length: number }): string =>
  `gravity / length is ${(-ratio).toFixed(6)} 1/s^2, in truth ${-truth.gravity / truth.length}; of the two alone, the film tells nothing.`;
