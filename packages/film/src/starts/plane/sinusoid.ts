import { linearLeastSquares } from '@gradsim/base';
import { TRACKS } from '../../tuning/tracks.ts';

/** Sinusoid h + a cos w t + b sin w t that is nearest to values. */
export interface Sinusoid {
  /** Angular frequency w, rad/s. */
  readonly frequency: number;
  /** h, a and b. */
  readonly values: readonly number[];
  readonly squares: number;
  /** True if the values show no swing: another motion, or less than about one period. */
  readonly isNone: boolean;
  readonly isSlowest: boolean;
}

const { periods, perDuration, leaves } = TRACKS.oscillation;
const { fastest, ofFrameRate } = TRACKS.frequency;

/** Nearest sinusoid of all frequencies that values at times, s, can show. */
export function sinusoidIn(times: readonly number[], values: readonly number[]): Sinusoid {
  const duration = times.at(-1)! - times[0];
  const [least, most] = [periods / duration, Math.min(fastest, (ofFrameRate * (times.length - 1)) / duration)];
  const count = Math.max(2, Math.ceil(perDuration * duration * (most - least)));
  const tried = Array.from({ length: count }, (_, k) =>
    fitAtFrequency(2 * Math.PI * (least + ((most - least) * k) / (count - 1))),
  );
  const best = tried.reduce((near, each) => (each.squares < near.squares ? each : near));
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const scatter = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { ...best, isNone: best.squares > leaves * scatter, isSlowest: best.frequency === tried[0].frequency };

  function fitAtFrequency(frequency: number): { frequency: number; values: number[]; squares: number } {
    const rows = times.map((t) => [1, Math.cos(frequency * t), Math.sin(frequency * t)]);
    const found = linearLeastSquares(rows, values);
    if (!found) return { frequency, values: [0, 0, 0], squares: Number.POSITIVE_INFINITY };
    const off = rows.map((row, k) => row.reduce((sum, c, j) => sum + c * found[j], -values[k]));
    return { frequency, values: found, squares: off.reduce((sum, d) => sum + d * d, 0) };
  }
}
