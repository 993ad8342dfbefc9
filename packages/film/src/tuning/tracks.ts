/** Tuned numbers of starts from tracks: flights, slides, swings and their frequencies. */
export const TRACKS = {
  /** Standard deviation of a tracked middle, px. Origin: judged; stated deviations hold for 8 of 10 noisy starts in tests. */
  place: 0.15,
  /** Natural steps of a search: m, m/s and m/s^2. Origin: sizes in films of things on a table. */
  length: 0.1,
  speed: 1,
  /**
   * Minimum number of points for a flight or a slide. Origin: 6 unknowns, two coordinates a point, one point to spare.
   */
  fewest: 4,
  /** Minimum number of points of a flight between contacts: a cubic passes through 4, and one is to spare. */
  fewestOfFlight: 5,
  /**
   * Minimum number of points for a swing, and number of those that its first angle and rate are computed from. Origin:
   * judged.
   */
  fewestOfSwing: 6,
  /** Scatter about a cubic in a flight, px: of masks, and the remainder of drag and perspective. Origin: judged. */
  cubic: 0.3,
  /**
   * Limits beyond which a point at an end belongs to another flight: ratio of its squared residual to the others', 5
   * standard deviations, and its distance above rounding, px. Origin: judged.
   */
  loner: { squares: 25, pixels: 0.03 },
  /**
   * Frequencies that are searched, Hz, the highest as a part of the frame rate; their number, and the number of
   * refinements.
   */
  frequency: { slowest: 1, fastest: 40, ofFrameRate: 0.45, count: 400, refinements: 3 },
} as const;
