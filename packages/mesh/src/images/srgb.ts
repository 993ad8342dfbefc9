/** Converts an sRGB value in [0, 1] to linear light in [0, 1]. Source: IEC 61966-2-1. */
export function linearFromSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Converts linear light in [0, 1] to an sRGB value in [0, 1]: the inverse of {@link linearFromSrgb}. */
export function srgbFromLinear(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
}
