import type { FilmRecord } from '@gradsim/films/record';
import type { Kind } from '@gradsim/kinds';

/** Standard deviations of what a person measures: lengths and masses as a part of each, angles in degrees. */
const [LENGTHS, MASSES, ANGLES] = [0.01, 0.01, 2];

/** Texts of `--set` for a film: what its record holds, as measured with the errors that the tolerances say, or exact. */
export function measuredTexts(
  { measures }: Kind,
  { measured }: FilmRecord,
  normal: (() => number) | null,
): Record<string, string> {
  const { eye, target } = measured as Readonly<Record<string, readonly number[]>>;
  const away = Math.hypot(...eye.map((c, k) => c - target[k]));
  /** Standard deviation of a value. */
  const toleranceOf = (name: string, value: number): number => {
    if (name === 'eye' || name === 'target') return LENGTHS * away;
    const { quantity } = measures[name] ?? {};
    if (quantity === 'length') return LENGTHS * value;
    if (quantity === 'mass') return MASSES * value;
    return quantity === 'angle' ? ANGLES : 0;
  };
  const asked = Object.entries(measured).filter(([name]) => name in measures);
  const texts = asked.map(([name, value]) => {
    if (value === null) return [name, 'null'];
    const read = (v: number): number => {
      const tolerance = normal ? toleranceOf(name, v) : 0;
      return tolerance === 0 ? v : v + tolerance * normal!();
    };
    return [name, [value].flat().map(read).join(',')];
  });
  return {
    ...Object.fromEntries(texts),
    // What makes the films stores colours there, and draws gravity too.
    chroma: 'centre',
    ...(measured.gravity === null ? { world: 'other' } : {}),
    ...(normal ? {} : { lengthTolerance: '0', angleTolerance: '0' }),
    ...(normal || !('massTolerance' in measures) ? {} : { massTolerance: '0' }),
  };
}
