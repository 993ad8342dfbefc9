import { Random } from '@gradsim/random-programs';

export type Numbers = [number, number, number];
export type Turn = [x: number, y: number, z: number, w: number];

/** Returns the vector of the components of each axis. */
export const vectorOf = (component: (axis: number) => number): Numbers => [component(0), component(1), component(2)];

const QUARTERS: readonly Turn[] = [
  [0, 0, 0, 1],
  [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  [0, Math.SQRT1_2, 0, Math.SQRT1_2],
  [0, 0, Math.SQRT1_2, Math.SQRT1_2],
];

/**
 * Values of a scene. Those of an even one are what people type: zeros, defaults, round numbers, vectors along an axis,
 * quarter turns; so that it is planar, symmetric or at rest. Those of another lie anywhere.
 */
export class Draw extends Random {
  readonly isEven: boolean;

  constructor(seed: number, isEven: boolean) {
    super(seed);
    this.isEven = isEven;
  }

  /** A number from `low` to `high`; of an even scene, one of the quarters between. */
  number(low: number, high: number): number {
    return this.isEven ? low + (high - low) * 0.25 * this.whole(0, 4) : this.between(low, high);
  }
  /** A number, or 0: half of the time in an even scene, else in a tenth. */
  orZero(low: number, high: number): number {
    return this.chance(this.isEven ? 0.5 : 0.1) ? 0 : this.number(low, high);
  }
  /** A vector of components up to `size`; of an even scene, 0 or along one axis. */
  vector(size: number): Numbers {
    if (!this.isEven) return [this.between(-size, size), this.between(-size, size), this.between(-size, size)];
    const [axis, value] = [this.whole(0, 2), this.orZero(-size, size)];
    return vectorOf((k) => (k === axis ? value : 0));
  }
  /** A quaternion (x, y, z, w); of an even scene, a quarter turn about an axis or none. */
  turn(): Turn {
    if (this.isEven) return [...this.pick(QUARTERS)];
    const part = (): number => this.between(-1, 1);
    return [part(), part(), part(), part()];
  }
  /** Material of contact for things of about the mass `mass`, kg, that touch for some 20 to 100 substeps of 1/2000 s. */
  material(mass = 1): { ke: number; kd?: number; kf?: number; mu?: number } {
    const ke = this.number(1000, 9000) * mass;
    // The defaults of an even scene: no damping, no friction.
    const { isEven } = this;
    return {
      ke,
      ...(isEven && this.chance(0.5) ? {} : { kd: this.orZero(1, 9) * mass }),
      ...(isEven && this.chance(0.5) ? {} : { kf: this.orZero(5, 25) * mass, mu: this.orZero(0.2, 0.8) }),
    };
  }
}
