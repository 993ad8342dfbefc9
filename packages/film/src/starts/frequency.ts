import { TRACKS } from '../tuning/tracks.ts';

/**
 * Strongest frequency, Hz, of values at about evenly spaced times, with a Hann window.
 *
 * ```ts
 * const hertz = mainFrequency(track.points.map(({ y }) => y), track.points.map(({ time }) => time));
 * ```
 * @param clock the rate of the values, 1/s, or their times, s.
 */
export function mainFrequency(values: readonly number[], clock: number | readonly number[]): number {
  const [rate, times] =
    typeof clock === 'number'
      ? [clock, values.map((_, k) => k / clock)]
      : [(clock.length - 1) / (clock.at(-1)! - clock[0]), clock];
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const windowed = values.map((value, k) => (value - mean) * Math.sin((Math.PI * (k + 0.5)) / values.length) ** 2);
  const power = (frequency: number): number => {
    let [real, imaginary] = [0, 0];
    windowed.forEach((value, k) => {
      real += value * Math.cos(2 * Math.PI * frequency * times[k]);
      imaginary += value * Math.sin(2 * Math.PI * frequency * times[k]);
    });
    return real ** 2 + imaginary ** 2;
  };
  const { slowest, fastest, ofFrameRate, count, refinements } = TRACKS.frequency;
  let [low, high]: number[] = [slowest, Math.min(fastest, ofFrameRate * rate)];
  for (let round = 0; round < refinements; round++) {
    const step = (high - low) / count;
    const tried = Array.from({ length: count + 1 }, (_, k) => low + k * step);
    const powers = tried.map(power);
    const best = tried[powers.indexOf(Math.max(...powers))];
    [low, high] = [best - step, best + step];
  }
  return (low + high) / 2;
}
