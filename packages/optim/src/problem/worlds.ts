/**
 * Worlds with different initial states, goals or materials that share the unknowns, such as the weights of one
 * controller; the loss is the mean over them.
 */
export interface Worlds {
  /** Number of worlds, which run side by side. */
  readonly count: number;
  /**
   * Draws the values that differ between worlds: by field key, flat [element][component]. It must return the same
   * fields for every world.
   *
   * @param random returns uniform random numbers in [0, 1), seeded by the search option `seed`.
   */
  readonly draw: (random: () => number, world: number) => Readonly<Record<string, ArrayLike<number>>>;
  /**
   * True to draw new values for every iteration. Default true; must be false for `l-bfgs`, which needs an unchanging
   * loss.
   */
  readonly drawEachIteration?: boolean;
  /**
   * Maximum Euclidean norm of one world's gradient, d loss / d natural step; a longer one is scaled down to it, so that
   * a few chaotic runs do not dominate the mean. Only for unknowns in fields that worlds do not share. Default: no
   * limit.
   */
  readonly clip?: number;
}
