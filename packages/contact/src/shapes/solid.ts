import type { Vector } from '@gradsim/base';
import type {
  AddSpec,
  BuildContext,
  Entity,
  F32,
  Index,
  Kernel,
  KernelFields,
  KernelSpec,
  ReadSpec,
  Vec3,
} from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import type { ReadersOf, Reads } from '../fields.ts';
import { kernelWith } from '../fields.ts';
import type { Core } from './core.ts';

/** A shape as it was added: all points within a radius of a core. */
export interface RoundedCore {
  readonly core: Core;
  /** Half edge lengths, m, that the corners of the core are multiplied by; 1 for a core in metres. */
  readonly half: Vector;
  /** Distance of the surface from the core, m: of a ball its radius, else the rounding radius of edges and corners. */
  readonly radius: number;
  /** Largest absolute coordinates of the core, in units of `half`. */
  readonly extent: Vector;
  /** Closed mesh of the surface with sharp edges; undefined for a ball and what is as round. */
  readonly mesh?: TriangleMesh;
}

/** Half edge lengths of a shape's core, m, and the distance of the shape's surface from its core, m. */
export interface CoreSize {
  readonly half: Vec3;
  readonly radius: F32;
}

/** Returns the size of a shape's core and its radius, given its rounding radius, m. */
export type CoreSizeReader = (shape: Index, rounding: F32) => CoreSize;

/** Contact of a kind of shape with other shapes. */
export interface Solid {
  /**
   * The surface that corners of others touch: `ball`, whose centre is compared with others, and not their corners with
   * it; `rounded`, at the radius from the box that bounds the core; `sharp`, that box with its radius, since corners near
   * the edge of a face would be pushed off a rounded one; `sampled`, a signed distance on a grid.
   */
  readonly surface: 'ball' | 'rounded' | 'sharp' | 'sampled';
  /**
   * Returns the core of a shape.
   * @param share rounding radius of edges and corners as a fraction of the shortest side.
   */
  readonly coreOf: (context: BuildContext, entity: Entity, share: number) => RoundedCore;
  /** Creates a kernel over shapes of the component; its function gets the sizes of their cores besides its fields. */
  readonly kernelOf: <const R extends Record<string, ReadSpec>, const A extends Record<string, AddSpec>>(
    name: string,
    spec: KernelSpec<R, A, Record<never, never>>,
    body: (fields: KernelFields<R, A>, size: CoreSizeReader) => void,
  ) => Kernel;
}

/** Definition of {@link Solid}: `size` reads the size of a core from the fields `reads`. */
export interface SolidSpec<R extends Reads> extends Pick<Solid, 'surface' | 'coreOf'> {
  readonly reads: R;
  readonly size: (own: ReadersOf<R>, shape: Index, rounding: F32) => CoreSize;
}

export const solidOf = <R extends Reads>({ surface, coreOf, reads, size }: SolidSpec<R>): Solid => ({
  surface,
  coreOf,
  kernelOf: (name, spec, body) =>
    kernelWith(name, spec, reads, (fields, own) => body(fields, (shape, rounding) => size(own, shape, rounding))),
});
