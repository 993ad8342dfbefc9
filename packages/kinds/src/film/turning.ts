import type { Film } from '@gradsim/film';

/** Substeps of a frame of what moves along a line, and those in which its speed crosses the width of friction where it turns back. */
const [SUBSTEPS, CROSSING] = [16, 4] as const;

/**
 * Substeps of what moves along a line with friction, and the width of that, m/s, as `Link.frictionWidth`. Where it turns back, speeds
 * within the width take {@link CROSSING} substeps: friction that held for one whole substep would end its way's dependence on all before.
 * Since the width is the same on both sides, the way after the turn is that of a sharp one.
 *
 * @param acceleration m/s^2; its largest size about the turn. 0 of what does not turn back.
 */
export const turningSubsteps = ({ frameRate }: Pick<Film, 'frameRate'>, acceleration: number) => ({
  substeps: SUBSTEPS,
  frictionWidth: (CROSSING * Math.abs(acceleration)) / (2 * SUBSTEPS * frameRate),
});
