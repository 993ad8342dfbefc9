/**
 * Worlds that share the unknowns and begin differently: the loss is the mean over them. So one controller is trained for
 * many starts, goals or materials at once.
 */
export interface Worlds {
  /** How many run side by side. */
  readonly count: number;
  /**
   * What a world has of its own: values of fields, [element][component], by key. All worlds give the same fields.
   *
   * @param random uniform numbers in [0, 1) from the seed of the options.
   */
  readonly draw: (random: () => number, world: number) => Readonly<Record<string, ArrayLike<number>>>;
  /** Whether they are drawn anew for every iteration. Default true; `l-bfgs` needs the same in all. */
  readonly anew?: boolean;
  /**
   * The longest gradient of a world that counts, d loss / d natural step: a longer one is shortened to it, so that a few
   * chaotic runs do not outweigh all others. For fields that worlds do not share. Default: none is shortened.
   */
  readonly clip?: number;
}
