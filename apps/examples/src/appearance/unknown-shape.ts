import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { massProperties, SignedDistance, vertexCount } from '@gradsim/mesh';
import type { Estimate, Loss, Observation } from '@gradsim/optim';
import { edgeLengthLoss, laplacian, normalConsistency } from '@gradsim/optim';
import { DirectionalLight, Pixel, render } from '@gradsim/render';
import { Body, BodyVertex, rigid } from '@gradsim/rigid';
import type { PictureSettings } from '../scenes/renderers.ts';
import { addCamerasAround } from '../scenes/stills.ts';
import { sphereUvs } from './sphere-uvs.ts';

/** Width, and also height, of the texture in texels. */
const TEXELS = 24;

/** Model of a lit mesh, seen by cameras on all sides against an empty background, so that alpha is a mask of it. */
export function shapeModel(
  mesh: TriangleMesh,
  { renderer, size, views }: PictureSettings & { readonly views: number },
): Model {
  const scene = createScene([
    rigid(),
    render({ width: size, height: size, normals: 'vertex' }),
    renderer({
      softness: (1.5 / size) ** 2,
      depthSoftness: 1e-3,
      isMasked: true,
      near: 0.5,
      far: 10,
    }),
  ]);
  const { name, positions, triangles, uvs, textures } = mesh;
  // So that the mesh stands where its own coordinates say.
  const position = massProperties(mesh, { mass: 1 }).centerOfMass;
  scene.add(Body, { mesh: { name, positions, triangles, uvs, textures }, mass: 1, position }, 'the shape');
  scene.add(DirectionalLight, { direction: [0.5, 1, 0.7], color: [0.6, 0.6, 0.6] });
  addCamerasAround(scene, views, { distance: 4, fieldOfView: 0.6 });
  return buildModel(scene);
}

/**
 * Adds a texture to a mesh, projected from the mesh's middle.
 *
 * @param color returns value k of the texture: the red, green and blue of all texels, one after another.
 */
export function textured(mesh: TriangleMesh, color: (k: number) => number): TriangleMesh {
  const colors = Float64Array.from({ length: 3 * TEXELS * TEXELS }, (_, k) => color(k));
  return {
    ...mesh,
    colors: undefined,
    uvs: sphereUvs(mesh),
    textures: [{ width: TEXELS, height: TEXELS, colors }],
  };
}

/** Returns value k of a texture of sinusoidal stripes, whose direction differs by colour channel. */
export function stripes(k: number): number {
  const [c, x, y] = [k % 3, Math.floor(k / 3) % TEXELS, Math.floor(k / (3 * TEXELS))];
  return 0.6 + 0.3 * Math.sin((2 * Math.PI * [2 * x, 2 * y, x + y][c]) / TEXELS);
}

/** Losses that penalise spikes and folds of the estimated mesh. */
export function smoothness(mesh: TriangleMesh): Loss[] {
  const { triangles } = mesh;
  return [
    laplacian(BodyVertex.local, triangles, { weight: 0.3 / vertexCount(mesh) }),
    normalConsistency(BodyVertex.local, triangles, { weight: 1e-3 / triangles.length }),
    edgeLengthLoss(BodyVertex.local, triangles, { weight: 0.03 / triangles.length }),
  ];
}

/**
 * Errors of an estimated shape: intersection over union of the silhouettes, and if the target mesh is known, the
 * distances of the vertices from its surface, m.
 */
export function shapeErrors(
  { arrays, predicted }: Pick<Estimate, 'arrays' | 'predicted'>,
  seen: Pick<Observation, 'target'>,
  target?: TriangleMesh,
): { readonly intersectionOverUnion: number; readonly distance: number } {
  const shown = predicted[Pixel.rgba.key];
  let [both, either] = [0, 0];
  for (let k = 3; k < shown.length; k += 4) {
    both += Math.min(shown[k], seen.target[k]);
    either += Math.max(shown[k], seen.target[k]);
  }
  const points = arrays.vertices.estimate;
  const surface = target && new SignedDistance(target);
  let sum = 0;
  for (let k = 0; surface && k < points.length; k += 3) sum += Math.abs(surface.at(points.subarray(k, k + 3)));
  return { intersectionOverUnion: both / either, distance: surface ? (3 * sum) / points.length : Number.NaN };
}

/** Sentences for the report with the results of {@link shapeErrors}. */
export function shapeNotes(found: Estimate, seen: Observation, target?: TriangleMesh): string[] {
  const { intersectionOverUnion, distance } = shapeErrors(found, seen, target);
  return [
    `Intersection over union of the silhouettes: ${intersectionOverUnion.toFixed(4)}.`,
    ...(target ? [`Mean distance of the vertices from the true surface: ${distance.toExponential(2)} m.`] : []),
  ];
}
