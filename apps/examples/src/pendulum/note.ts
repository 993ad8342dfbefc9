/**
 * Note on length and gravity, which a film determines together only. @param ratio gravity along y over length, 1/s^2.
 */
export const ratioNote = (ratio: number, truth: { readonly gravity: number; readonly length: number }): string =>
  `gravity / length is ${(-ratio).toFixed(6)} 1/s^2, in truth ${-truth.gravity / truth.length}; of the two alone, the film tells nothing.`;
