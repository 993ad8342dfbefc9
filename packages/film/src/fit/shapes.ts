import { type CameraNumbers, cameraOf } from '../film-camera.ts';
import { shapeOfBall } from './ball/shape.ts';
import { type GivenBoxGeometry, shapeOfBox } from './box/shape.ts';

/** Shapes by their kind, made from what is given of them: plain values, which another thread can be told. */
const SHAPES = {
  ball: ({ camera }: { readonly camera: CameraNumbers }) => shapeOfBall(cameraOf(camera)),
  box: ({ camera, ...given }: Omit<GivenBoxGeometry, 'camera'> & { readonly camera: CameraNumbers }) =>
    shapeOfBox({ ...given, camera: cameraOf(camera) }),
};

type Shapes = typeof SHAPES;
export type ShapeKind = keyof Shapes;

/** What is given of a shape, with its kind. */
export type ShapeRecord<K extends ShapeKind = ShapeKind> = { readonly kind: K } & Parameters<Shapes[K]>[0];

/** Approximate state of such a shape in a frame. */
export type StartOf<K extends ShapeKind> = Parameters<ReturnType<Shapes[K]>['speed']>[0];

export function shapeOf<K extends ShapeKind>({ kind, ...given }: ShapeRecord<K>): ReturnType<Shapes[K]> {
  const make = SHAPES[kind] as (given: unknown) => ReturnType<Shapes[K]>;
  return make(given);
}
