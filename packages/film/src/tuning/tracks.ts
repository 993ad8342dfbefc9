/** Tuned numbers of starts from tracks: flights, slides, swings and what swings in them. */
export const TRACKS = {
  /** Standard deviation of a tracked middle, px. Origin: judged; stated deviations hold for 8 of 10 noisy starts in tests. */
  place: 0.15,
  /** Steps that matter to a search: m, m/s and m/s^2. Origin: the sizes of films of things on a table. */
  length: 0.1,
  speed: 1,
  /** Fewest points that determine a flight or a slide. Origin: 6 unknowns, two coordinates a point, one point to tell against. */
  fewest: 4,
  /** Fewest points of a flight between contacts: a cubic goes through 4, and one tells against it. */
  fewestOfFlight: 5,
  /** Points that a swing is found from, and of which its first angle and rate are made. Origin: judged. */
  fewestOfSwing: 6,
  /** Scatter about a cubic that is a flight, px: of masks, and of what drag and perspective leave. Origin: judged. */
  cubic: 0.3,
  /**
   * A point at an end is of another flight where its share of the squares is so many times that of the others, 5 standard
   * deviations, and its distance is above rounding, px. Origin: judged.
   */
  loner: { squares: 25, pixels: 0.03 },
  /** Frequencies that are searched, Hz, the highest as a part of the frame rate; how many, and how often refined. */
  frequency: { slowest: 1, fastest: 40, ofFrameRate: 0.45, count: 400, refinements: 3 },
} as const;
