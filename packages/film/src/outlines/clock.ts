import type { Check, Posterior } from '@gradsim/optim';
import { SAME_RATE } from '../clock-tolerance.ts';
import type { Film } from '../film.ts';

/**
 * Check that reports by how much the file plays slower or faster than the film was taken. It is not critical: a rate
 * unlike that of the file's time stamps is refused by `readFilm` unless the clock is said to be wrong.
 */
export function clockCheck(film: Film): Check<Posterior> {
  const note = noteOn(film);
  return { kind: 'check', rank: 80, isCritical: false, find: () => note !== undefined && { note } };
}

function noteOn({ info, takenRate }: Film): string | undefined {
  const own = info.frameRate;
  if (own === undefined) return undefined;
  const slower = takenRate / own;
  if (Math.abs(slower - 1) <= SAME_RATE) return undefined;
  const times = `${fourDigits(Math.max(slower, 1 / slower))} times ${slower > 1 ? 'slower' : 'faster'}`;
  return `The film plays ${times} than it was taken, by the frame rate that was given, ${fourDigits(takenRate)} a second, instead of the file's ${fourDigits(own)}. If that is not so, all velocities are wrong by that factor, and gravity by its square.`;
}

const fourDigits = (value: number): number => Number(value.toPrecision(4));
