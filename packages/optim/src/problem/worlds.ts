/**
 * Worlds that share the unknowns and start differently: the loss is the mean over them. So one controller is trained
 * for many starts, goals or materials at once.
 */
export interface Worlds {
  /** Number of worlds that run side by side. */
  readonly count: number;
  /**
   * Draws the values that belong to a world: of fields, [element][component], by key. All worlds return the same
   * fields.
   *
   * @param random uniform numbers in [0, 1) from the seed of the options.
   */
  readonly draw: (random: () => number, world: number) => Readonly<Record<string, ArrayLike<number>>>;
  /** True if they are redrawn for every iteration. Default true; `l-bfgs` needs the same in all. */
  readonly anew?: boolean;
  /**
   * Maximum length of a world's gradient, d loss / d natural step: a longer one is shortened to it, so that a few
   * chaotic runs do not outweigh all others. For fields that worlds do not share. Default: no limit.
   */
  readonly clip?: number;
}
