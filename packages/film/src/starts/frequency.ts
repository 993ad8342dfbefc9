import { TRACKS } from '../tuning/tracks.ts';

/**
 * Strongest frequency, Hz, of values at evenly spaced times, with a Hann window.
 *
 * ```ts
 * const hertz = mainFrequency(track.points.map(({ y }) => y), film.frameRate);
 * ```
 */
export function mainFrequency(values: readonly number[], rate: number): number {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const windowed = values.map((value, k) => (value - mean) * Math.sin((Math.PI * (k + 0.5)) / values.length) ** 2);
  const power = (frequency: number): number => {
    let [real, imaginary] = [0, 0];
    windowed.forEach((value, k) => {
      real += value * Math.cos((2 * Math.PI * frequency * k) / rate);
      imaginary += value * Math.sin((2 * Math.PI * frequency * k) / rate);
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
