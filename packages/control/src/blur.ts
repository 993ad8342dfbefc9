/**
 * Blurs a picture, given row by row, with a Gaussian along both axes; beyond its edges the picture counts as 0.
 *
 * @param deviation standard deviation of the Gaussian, px; the kernel is cut off at three standard deviations.
 */
export function gaussianBlur(
  picture: ArrayLike<number>,
  { width, height }: { readonly width: number; readonly height: number },
  deviation: number,
): Float64Array {
  const reach = Math.ceil(3 * deviation);
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-((k - reach) ** 2) / (2 * deviation * deviation)),
  );
  const sum = weights.reduce((a, b) => a + b);
  const along = (from: ArrayLike<number>, count: number, step: number, first: number, to: Float64Array): void => {
    for (let k = 0; k < count; k++) {
      let value = 0;
      const [low, high] = [Math.max(0, k - reach), Math.min(count - 1, k + reach)];
      for (let i = low; i <= high; i++) value += weights[i - k + reach] * from[first + i * step];
      to[first + k * step] = value / sum;
    }
  };
  const [across, both] = [new Float64Array(width * height), new Float64Array(width * height)];
  for (let y = 0; y < height; y++) along(picture, width, 1, y * width, across);
  for (let x = 0; x < width; x++) along(across, height, width, x, both);
  return both;
}
