/** A beam of rectangular section, clamped at one end. SI units. */
export interface BeamSize {
  readonly length: number;
  readonly height: number;
  readonly width: number;
  readonly density: number;
  readonly youngsModulus: number;
  readonly poissonRatio: number;
}

interface Stiffness {
  /** Bending stiffness E I, N m^2. */
  readonly bending: number;
  /** Shear stiffness k G A, N, with k = 10 (1 + nu) / (12 + 11 nu) for a rectangular section (Cowper 1966). */
  readonly shear: number;
  readonly massPerLength: number;
  /** Rotary inertia per length rho I, kg m. */
  readonly turning: number;
}

function stiffnessOf({ height, width, density, youngsModulus: E, poissonRatio: nu }: BeamSize): Stiffness {
  const [area, second] = [height * width, (width * height ** 3) / 12];
  const factor = (10 * (1 + nu)) / (12 + 11 * nu);
  return {
    bending: E * second,
    shear: (factor * E * area) / (2 * (1 + nu)),
    massPerLength: density * area,
    turning: density * second,
  };
}

/**
 * Sag of the free end under the beam's own weight by Timoshenko's theory, m: q L^4 / (8 E I) + q L^2 / (2 k G A) with
 * the weight per length q.
 */
export function timoshenkoSag(beam: BeamSize, gravity: number): number {
  const { bending, shear, massPerLength } = stiffnessOf(beam);
  const load = massPerLength * gravity;
  return (load * beam.length ** 4) / (8 * bending) + (load * beam.length ** 2) / (2 * shear);
}

/** Number of integration steps along the beam. */
const STEPS = 400;
/** Number of bisections of the frequency. */
const HALVINGS = 60;

/**
 * First bending frequency by Timoshenko's theory, Hz. It is the lowest at which w' = psi + Q / kGA, psi' = M / EI, Q' =
 * -rho A w^2 w, M' = -Q - rho I w^2 psi, with w = psi = 0 at the clamp, have a solution with M = Q = 0 at the free end.
 */
export function timoshenkoFrequency(beam: BeamSize): number {
  const { bending, shear, massPerLength, turning } = stiffnessOf(beam);
  const slender = (3.516015 / beam.length ** 2) * Math.sqrt(bending / massPerLength);
  /**
   * Returns the determinant of the matrix that maps (M, Q) at the clamp to (M, Q) at the free end; it changes sign at
   * each eigenfrequency.
   */
  const determinant = (omega: number): number => {
    const slope = ([w, psi, M, Q]: number[]): number[] => [
      psi + Q / shear,
      M / bending,
      -Q - turning * omega ** 2 * psi,
      -massPerLength * omega ** 2 * w,
    ];
    const dx = beam.length / STEPS;
    const end = (start: number[]): number[] => {
      let y = start;
      const along = (k: number[], by: number): number[] => y.map((value, i) => value + by * k[i]);
      for (let step = 0; step < STEPS; step++) {
        const k1 = slope(y);
        const k2 = slope(along(k1, dx / 2));
        const k3 = slope(along(k2, dx / 2));
        const k4 = slope(along(k3, dx));
        y = y.map((value, i) => value + (dx / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
      }
      return y;
    };
    const [byM, byQ] = [end([0, 0, 1, 0]), end([0, 0, 0, 1])];
    return byM[2] * byQ[3] - byM[3] * byQ[2];
  };
  let [low, high] = [0.1 * slender, 1.05 * slender];
  const sign = Math.sign(determinant(low));
  if (Math.sign(determinant(high)) === sign) throw new Error(`No first frequency between ${low} and ${high} rad/s.`);
  for (let round = 0; round < HALVINGS; round++) {
    const middle = (low + high) / 2;
    if (Math.sign(determinant(middle)) === sign) low = middle;
    else high = middle;
  }
  return low / (2 * Math.PI);
}
