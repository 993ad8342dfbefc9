/** Frequencies that are looked for, Hz: from one swing in a second to nearly every second picture, at most those of beams. */
const SLOWEST = 1;
const FASTEST = 40;
const HIGHEST_SHARE = 0.45;
const FREQUENCIES = 400;
const REFINEMENTS = 3;

/**
 * The frequency of which values at even times have most, Hz, under a window of Hann's.
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
  let [low, high] = [SLOWEST, Math.min(FASTEST, HIGHEST_SHARE * rate)];
  for (let round = 0; round < REFINEMENTS; round++) {
    const step = (high - low) / FREQUENCIES;
    const tried = Array.from({ length: FREQUENCIES + 1 }, (_, k) => low + k * step);
    const powers = tried.map(power);
    const best = tried[powers.indexOf(Math.max(...powers))];
    [low, high] = [best - step, best + step];
  }
  return (low + high) / 2;
}
