import type { Component, F32, FieldOf, Mat33, Pass, Vec3 } from '@gradsim/core';
import { column, computed, f32, mat33, vec3 } from '@gradsim/core';

/** Columns that points of every material have. */
export const POINT_COLUMNS = {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { default: 0, unit: 'm/s' }),
  /** Volume without strain, m^3; in two dimensions that of a layer one metre thick. */
  volume: column(f32, { unit: 'm^3', range: 'positive' }),
  density: column(f32, { unit: 'kg/m^3', range: 'positive' }),
  /** Strain that the material remembers, 0 at rest: each material says which. */
  strain: column(mat33, { default: 0 }),
  /** Gradient of the velocity around the point: row i holds the derivatives of component i, 1/s. */
  velocityGradient: column(mat33, { default: 0, unit: '1/s' }),
} as const;

export const POINT_FIELDS = {
  /** Minimum number of substeps per second for which the motion stays bounded. */
  leastRate: computed(f32, { unit: '1/s' }),
} as const;

/** A component of points of one material. */
export interface PointComponent extends Component {
  readonly domain: string;
  readonly position: FieldOf<Vec3>;
  readonly velocity: FieldOf<Vec3>;
  readonly volume: FieldOf<F32>;
  readonly density: FieldOf<F32>;
  readonly strain: FieldOf<Mat33>;
  readonly velocityGradient: FieldOf<Mat33>;
  readonly leastRate: FieldOf<F32>;
}

type Columns = Readonly<Record<string, FieldOf<F32>>>;
/** Values of a material's own columns, as the traced kernel has them. */
export type OwnValues<C extends Columns = Columns> = { readonly [K in keyof C]: F32 };

/** A material: what its points remember of their deformation, and the stress that follows from it. */
export interface Material<C extends Columns = Columns> {
  readonly component: PointComponent;
  /** Columns that its formulas read. */
  readonly columns: C;
  /** Kirchhoff stress tau = J sigma, Pa, for a strain and a gradient of the velocity, 1/s. */
  readonly stress: (strain: Mat33, rate: Mat33, own: OwnValues<C>) => Mat33;
  /** Strain after a substep in which the displacement has the gradient `step`, dt times that of the velocity. */
  readonly advance: (strain: Mat33, step: Mat33, own: OwnValues<C>) => Mat33;
  /** Change of volume, J - 1, of a strain. */
  readonly growth: (strain: Mat33, own: OwnValues<C>) => F32;
  /** Stiffness against a change of length with fixed sides, Pa: sqrt(modulus / density) is the speed of sound. */
  readonly modulus: (own: OwnValues<C>) => F32;
  /** Pass that follows, for what the strain after a substep cannot be by itself. */
  readonly after?: () => Pass;
  /** Viscosity, Pa s; absent for a material without. */
  readonly viscosity?: (own: OwnValues<C>) => F32;
}

/** A material of any columns, whose formulas are given those that it names. */
export const material = <C extends Columns>(definition: Material<C>): Material => definition as unknown as Material;
