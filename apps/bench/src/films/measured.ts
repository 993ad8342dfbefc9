import type { FilmRecord } from '@gradsim/films/record';
import { KINDS, type Measure } from '@gradsim/kinds';

/** Standard deviations of what a person measures: lengths as a part of each, angles in degrees. */
const [LENGTHS, ANGLES] = [0.01, 2];

/** Texts of `--set` for a film: what its record holds, as measured with the errors that the tolerances say, or exact. */
export function measuredTexts({ kind, measured }: FilmRecord, normal: (() => number) | null): Record<string, string> {
  const measures: Readonly<Record<string, Measure>> = KINDS.find(({ name }) => name === kind)!.measures;
  const off = (scale: number): number => (normal ? scale * normal() : 0);
  const { eye, target } = measured as Readonly<Record<string, readonly number[]>>;
  const away = Math.hypot(...eye.map((c, k) => c - target[k]));
  const texts = Object.entries(measured).map(([name, value]) => {
    const { quantity } = measures[name];
    const one = (v: number): number =>
      name === 'eye' || name === 'target'
        ? v + off(LENGTHS * away)
        : quantity === 'length'
          ? v * (1 + off(LENGTHS))
          : quantity === 'angle'
            ? v + off(ANGLES)
            : v;
    return [name, value === null ? 'null' : [value].flat().map(one).join(',')];
  });
  return {
    ...Object.fromEntries(texts),
    // What makes the films stores colours there, and draws gravity too.
    chroma: 'centre',
    ...(measured.gravity === null ? { world: 'other' } : {}),
    ...(normal ? {} : { lengthTolerance: '0', angleTolerance: '0' }),
  };
}
