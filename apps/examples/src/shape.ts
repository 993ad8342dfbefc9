import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { icosphere, massProperties, SignedDistance, vertexCount } from '@gradsim/mesh';
import type { ArraySpec, Estimate, ExperimentContext, Observation, Stage } from '@gradsim/optim';
import { defineExperiment, edgeLengths, laplacian, normalConsistency } from '@gradsim/optim';
import { DirectionalLight, render } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { banana, meshFrom } from './appearance/meshes.ts';
import { sphereUvs } from './appearance/sphere-uvs.ts';
import type { SceneRenderer } from './scenes/renderers.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { addCamerasAround, observeStills, STILL, stillsStrip } from './scenes/stills.ts';

const SETTINGS = ['renderer', 'mesh', 'unknown', 'subdivisions', 'size', 'views', 'iterations'];
const TEXELS = 24;
const GREY = 0.6;

/**
 * A shape from pictures from all sides, from a ball on: every vertex is unknown. Settings: `mesh`, the file of the shape
 * that the target pictures show (default a banana of its own), unless `--video` has pictures with a mask (alpha), one a
 * camera; `unknown=both` to find a texture with it; `subdivisions` of the ball (2: 162 vertices), `size` of the pictures,
 * `views`, `iterations`, `renderer`.
 */
export default defineExperiment({
  name: 'shape',
  description: 'A shape, and its texture where asked, from pictures from all sides, from a ball on.',
  stages: async (context) => [await stage(context)],
});

async function stage({ settings, device, video, signal }: ExperimentContext): Promise<Stage> {
  refuseUnknownSettings('shape', settings, SETTINGS);
  const whole = (name: string, otherwise: number): number =>
    numberSetting(settings, name, { otherwise, least: 1, whole: true });
  const { unknown = 'shape' } = settings;
  if (unknown !== 'shape' && unknown !== 'both')
    throw new Error(`The setting unknown is "${unknown}"; it is shape, or both for shape and texture.`);
  const hasTexture = unknown === 'both';
  const pictures = {
    renderer: await rendererOf(settings.renderer),
    size: whole('size', 64),
    views: whole('views', 10),
  };
  const ball = icosphere({ radius: 0.5, subdivisions: whole('subdivisions', 2) });
  const target = await (settings.mesh ? meshFrom(settings.mesh) : banana());
  const model = shapeModel(hasTexture ? textured(ball, () => GREY) : ball, pictures);
  const truth = shapeModel(hasTexture ? textured(target, stripes) : target, pictures);
  const observation = await observeStills(model, truth, { device, video, signal });
  const { triangles } = ball;
  const field = 'bodyVertices.local';
  const texels: ArraySpec = { name: 'texels', field: 'texels.color', initial: GREY, scale: 3 };
  return {
    name: unknown,
    problem: {
      model,
      ...STILL,
      observations: [observation],
      arrays: [
        { name: 'vertices', field, initial: Array.from(model.field(field).values!), unit: 'm' },
        ...(hasTexture ? [texels] : []),
      ],
      losses: [
        laplacian(field, triangles, { weight: 0.3 / vertexCount(ball) }),
        normalConsistency(field, triangles, { weight: 1e-3 / triangles.length }),
        edgeLengths(field, triangles, { weight: 0.03 / triangles.length }),
      ],
      options: { method: 'adam', learningRate: 0.01, iterations: whole('iterations', 600), decay: 0.995 },
    },
    strip: (found) => stillsStrip(model, observation, found),
    notes: (found) => notes(found, observation, video === undefined ? { target, triangles } : undefined),
  };
}

/** How well silhouettes agree, and how far the vertices lie from the surface that was filmed, m. */
export function shapeErrors(
  { arrays, predicted }: Pick<Estimate, 'arrays' | 'predicted'>,
  observation: Observation,
  target?: TriangleMesh,
): { readonly intersectionOverUnion: number; readonly distance: number } {
  const shown = predicted['pixels.rgba'];
  let [both, either] = [0, 0];
  for (let k = 3; k < shown.length; k += 4) {
    both += Math.min(shown[k], observation.target[k]);
    either += Math.max(shown[k], observation.target[k]);
  }
  const points = arrays.vertices.estimate;
  const surface = target && new SignedDistance(target);
  let sum = 0;
  for (let k = 0; surface && k < points.length; k += 3) sum += Math.abs(surface.at(points.subarray(k, k + 3)));
  return { intersectionOverUnion: both / either, distance: surface ? (3 * sum) / points.length : Number.NaN };
}

function notes(
  found: Estimate,
  observation: Observation,
  known?: { readonly target: TriangleMesh; readonly triangles: Uint32Array },
): string[] {
  const { intersectionOverUnion, distance } = shapeErrors(found, observation, known?.target);
  return [
    `Intersection over union of the silhouettes: ${intersectionOverUnion.toFixed(4)}.`,
    ...(known ? [`Mean distance of the vertices from the true surface: ${distance.toExponential(2)} m.`] : []),
  ];
}

/** A mesh with a texture projected from its middle. */
function textured(mesh: TriangleMesh, color: (k: number) => number): TriangleMesh {
  const colors = Float64Array.from({ length: 3 * TEXELS * TEXELS }, (_, k) => color(k));
  return {
    ...mesh,
    colors: undefined,
    uvs: sphereUvs(mesh),
    textures: [{ width: TEXELS, height: TEXELS, colors }],
  };
}

/** Value k of a texture of soft stripes. */
function stripes(k: number): number {
  const [c, x, y] = [k % 3, Math.floor(k / 3) % TEXELS, Math.floor(k / (3 * TEXELS))];
  return 0.6 + 0.3 * Math.sin((2 * Math.PI * [2 * x, 2 * y, x + y][c]) / TEXELS);
}

function shapeModel(
  mesh: TriangleMesh,
  { renderer, size, views }: { readonly renderer: SceneRenderer; readonly size: number; readonly views: number },
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
