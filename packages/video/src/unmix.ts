/** Standard deviation of light in a pixel, from noise and compression. */
const NOISE = 0.01;
/** How much brighter or darker an object may be at its rim than inside, or the background in a shadow: a standard deviation. */
const SHADING = 0.3;

/** The part of a pixel that an object covers. */
export interface Part {
  /** With brightness free: an object's rim may be darker than its inside, the background in shadow. */
  readonly part: number;
  /** As if both had the brightness that they are thought to have. */
  readonly rigid: number;
}

/**
 * The part of a pixel that an object covers: light is seen as a times the object's plus b times the background's, and
 * the part is a / (a + b), so that shading and shadow, which make a + b less than 1, do not count. Where the two have the
 * same colour, and only brightness tells them apart, a + b = 1 decides, which is otherwise known to `SHADING`.
 */
export function unmix(seen: ArrayLike<number>, object: ArrayLike<number>, ground: ArrayLike<number>): Part {
  const prior = (NOISE / SHADING) ** 2;
  let [oo, og, gg, os, gs] = [prior, prior, prior, prior, prior];
  let [along, span] = [0, 0];
  for (let c = 0; c < seen.length; c++) {
    oo += object[c] * object[c];
    og += object[c] * ground[c];
    gg += ground[c] * ground[c];
    os += object[c] * seen[c];
    gs += ground[c] * seen[c];
    along += (seen[c] - ground[c]) * (object[c] - ground[c]);
    span += (object[c] - ground[c]) ** 2;
  }
  const determinant = oo * gg - og * og;
  const a = (os * gg - gs * og) / determinant;
  const b = (gs * oo - os * og) / determinant;
  return { part: within(a / Math.max(a + b, 1e-3)), rigid: within(along / Math.max(span, 1e-9)) };
}

const within = (part: number): number => Math.min(Math.max(part, 0), 1);
