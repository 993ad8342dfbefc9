/** Tuned numbers for starts from tracks: flights, slides, swings and their frequencies. */
export const TRACKS = {
  /**
   * Standard deviation of a tracked middle, px. Origin: judged; in tests, 8 of 10 noisy starts lie within the standard
   * deviations stated.
   */
  place: 0.15,
  /**
   * Natural steps of searches: `length`, m, and `speed`, m/s, which also serves for accelerations, m/s^2. Origin: sizes
   * in films of things on a table.
   */
  length: 0.1,
  speed: 1,
  /**
   * Minimum number of points for a flight or a slide. Origin: 6 unknowns need 3 points of two coordinates; one to
   * spare.
   */
  fewest: 4,
  /**
   * Maximum number of points of a flight that are used, evenly: a film of 20 s at 30 frames a second has as many; and
   * number of contacts of a flight that starts an estimate. Origin: judged; more make a start slower, not better.
   */
  most: 600,
  contacts: 4,
  /**
   * Where they are unknown, drags of a flight that are tried besides none, 1/m: balls as light as foam; and least and
   * greatest gravity, m/s^2: of wrong lengths they are far from the usual one.
   */
  drags: [0.05, 0.2],
  gravities: [2.5, 25],
  /** Minimum number of points of a flight between contacts. Origin: a cubic passes through 4 points; one to spare. */
  fewestOfFlight: 5,
  /**
   * Minimum number of points for a swing; and number of points from which its initial angle and angular velocity are
   * computed. Origin: judged.
   */
  fewestOfSwing: 6,
  /**
   * Searching for an oscillation: minimum number of points, of periods in the film, and of tried frequencies in each
   * 1 / duration; and greatest part of the scatter of the heights that it may leave. Origin: judged.
   */
  oscillation: { fewest: 8, periods: 0.7, perDuration: 8, leaves: 0.5 },
  /**
   * A circle: greatest distance from it, as a part of the scatter of the places. A swing in a plane by 0.6 rad is 0.1 off.
   * Weight of sizes beside places, which are better known. Origin: judged.
   */
  circle: { leaves: 0.08, sized: 0.3 },
  /**
   * A mark on a disc: greatest distance from its circle, as a part of the radius; least way, in half turns; greatest turn
   * between two frames, in turns; least part of its rate that it loses; angle from the last one within which it rests, rad;
   * moments of which rates are compared; and ratio of a mask's area to the median of so many on either side beyond which it is
   * not the mark's. Origin: judged.
   */
  spin: { leaves: 0.08, turned: 1, between: 0.4, slows: 0.04, rests: 0.03, steps: 9, beside: 4, flickers: 1.6 },
  /**
   * Motion along a line: minimum number of points; least way, in radii of the ball, and greatest part of it by which
   * points may lie off it. Origin: judged.
   */
  roll: { fewest: 6, way: 2, leaves: 0.05 },
  /**
   * A fall in air: minimum number of points; least way, in radii; greatest part of it that the fit may leave; terminal
   * speeds from which it starts, in mean speeds; and the highest that it gives. Origin: judged.
   */
  fall: { fewest: 6, way: 4, leaves: 0.05, starts: [1.05, 1.5, 4], fastest: 20 },
  /**
   * Telling motions apart: minimum number of points; greatest width of a slow fall, in its heights. Of what tumbles: greatest
   * ratio of its axes; minimum number of points before it strikes, and greatest distance of these from a flight, px and in its
   * sizes; least height above that flight, in its sizes, two points later. Origin: judged, and films of known truth: boxes
   * have ratios of 0.58 to 0.79, what flies and bounces 0.91 to 0.98.
   */
  motions: {
    fewest: 10,
    upright: 0.3,
    tumble: { round: 0.85, fewest: 7, off: 2, part: 0.05, upwards: 0.3 },
  },
  /**
   * Standard deviation of points about the cubic of a flight, px: from masks, and the neglected drag and perspective.
   * Origin: judged.
   */
  cubic: 0.3,
  /**
   * Limits beyond which a point at an end belongs to another flight: ratio of its squared residual to the mean one of
   * the others, the square of 5 standard deviations; and its residual, px, above rounding. Origin: judged.
   */
  loner: { squares: 25, pixels: 0.03 },
  /**
   * Frequencies that are searched: minimum and maximum, Hz, and maximum as a fraction of the frame rate; their number,
   * and the number of refinements.
   */
  frequency: { slowest: 1, fastest: 40, ofFrameRate: 0.45, count: 400, refinements: 3 },
} as const;

/** Numbers for two things that meet. Origin: judged. */
export const PAIRS = {
  /** Least area of a thing, as a part of the largest. */
  large: 0.03,
  /** Least area of a third thing, as a part of the second's, and fewest frames with one. */
  third: 0.5,
  thirdFrames: 4,
  /**
   * Part of a mask's difference from the background, below which it is the background in shadow: the part that no common factor
   * of its colours explains. Origin: 0.01 to 0.05 of shadows, 0.16 to 0.25 of dark things, 0.3 to 1 of others.
   */
  shadow: 0.1,
  /** Fewest frames in which two are seen apart, and fewest on either side of their touch. */
  fewest: 8,
  fewestBeside: 4,
  /** Greatest change of a mask's area, as a part of it, up to which it is the whole thing. */
  unlike: 0.3,
  /** Standard deviation of the middles of a mask that is cut in two, px. */
  cut: 0.3,
  /**
   * Least part of the uncertainty of middles, see `MASKS.least`. Velocities just before and after a touch follow from slow
   * changes of a path, as errors of masks change with the ground, and as end faces come into view: by 0.3 px in drawn films.
   */
  least: 1,
  /** Steps of the search for the moment of the touch, in frame intervals. */
  step: 0.25,
  /** Least change of speed, in its standard deviations, and as a part of the speed at which both meet. */
  change: { deviations: 5, part: 0.03 },
} as const;
