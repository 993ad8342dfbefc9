import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { Texture, TriangleMesh } from '@gradsim/mesh';
import { icosphere } from '@gradsim/mesh';
import type { Estimate, ExperimentContext, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { render } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { readFrames } from '@gradsim/video';
import { meshFrom } from './appearance/meshes.ts';
import { sphereUvs } from './appearance/sphere-uvs.ts';
import type { SceneRenderer } from './scenes/renderers.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { addCamerasAround, observeStills, STILL, stillsStrip } from './scenes/stills.ts';

const SETTINGS = ['renderer', 'mesh', 'uvs', 'texture', 'texels', 'size', 'views', 'iterations'];
const GREY = 0.5;

/**
 * The texture of a known shape from pictures from all sides: the colour of each texel is an unknown. Settings: `mesh`, a
 * file with texture coordinates (default a ball), or `uvs=sphere` to project them from its middle; `texture`, a picture
 * that is laid over it to make the target (default one of its own) unless `--video` has pictures, one a camera; `texels`
 * across and down, `size` of the pictures, `views`, `iterations`, `renderer`.
 */
export default defineExperiment({
  name: 'texture',
  description: 'The texture of a known shape, texel by texel, from pictures from all sides.',
  stages: async (context) => [await stage(context)],
});

async function stage({ settings, device, video, signal }: ExperimentContext): Promise<Stage> {
  refuseUnknownSettings('texture', settings, SETTINGS);
  const whole = (name: string, otherwise: number): number =>
    numberSetting(settings, name, { otherwise, least: 1, whole: true });
  const scene = {
    renderer: await rendererOf(settings.renderer),
    size: whole('size', 96),
    views: whole('views', 12),
    mesh: await texturedMesh(settings),
  };
  const texels = whole('texels', 32);
  const texture = await targetTexture(settings.texture, texels);
  const grey = { ...texture, colors: texture.colors.map(() => GREY) };
  const model = texturedModel(scene, grey);
  const observation = await observeStills(model, texturedModel(scene, texture), { device, video, signal });
  const isKnown = video === undefined;
  return {
    name: 'texture',
    problem: {
      model,
      ...STILL,
      observations: [observation],
      arrays: [
        {
          name: 'texels',
          field: 'texels.color',
          initial: GREY,
          ...(isKnown ? { truth: texture.colors } : {}),
        },
      ],
      options: { iterations: whole('iterations', 60) },
    },
    strip: (found) => stillsStrip(model, observation, found),
    notes: (found) => (isKnown ? [textureNote(found, texture.colors)] : []),
  };
}

/** How far the texels are off that any picture shows: the others have had no gradient and stay grey. */
export function textureError(
  { arrays }: Pick<Estimate, 'arrays'>,
  truth: ArrayLike<number>,
): { readonly rms: number; readonly seen: number } {
  const { estimate } = arrays.texels;
  const seen = [...estimate.keys()].filter((k) => estimate[k] !== GREY);
  const squares = seen.reduce((sum, k) => sum + (estimate[k] - truth[k]) ** 2, 0);
  return { rms: Math.sqrt(squares / seen.length), seen: seen.length / estimate.length };
}

function textureNote(found: Estimate, truth: ArrayLike<number>): string {
  const { rms, seen } = textureError(found, truth);
  return `Of the texels ${(100 * seen).toFixed(1)} % are seen; the root mean square of their error is ${rms.toExponential(2)}.`;
}

/** @throws for a mesh without texture coordinates. */
async function texturedMesh({ mesh: file, uvs = file ? 'own' : 'sphere' }: ExperimentContext['settings']) {
  if (uvs !== 'own' && uvs !== 'sphere')
    throw new Error(`The setting uvs is "${uvs}"; it is own, those of the mesh, or sphere.`);
  const mesh = file ? await meshFrom(file, { looks: uvs === 'own' }) : icosphere({ radius: 1, subdivisions: 3 });
  if (uvs === 'sphere') return { ...mesh, uvs: sphereUvs(mesh) };
  if (mesh.uvs) return mesh;
  throw new Error(
    `${file ?? 'The ball'} has no texture coordinates, which say where on the texture each corner lies: take a mesh that has, or --set uvs=sphere, which projects them from its middle.`,
  );
}

/** A picture in so many texels a side, or one of soft stripes of three colours across each other. */
async function targetTexture(file: string | undefined, texels: number): Promise<Texture & { colors: Float64Array }> {
  const size = { width: texels, height: texels };
  if (file) {
    const { data } = await readFrames(file, { channels: 3, frameRate: 1, size });
    return { ...size, colors: Float64Array.from(data.subarray(0, 3 * texels * texels)) };
  }
  const colors = Float64Array.from({ length: 3 * texels * texels }, (_, k) => {
    const [c, x, y] = [k % 3, Math.floor(k / 3) % texels, Math.floor(k / (3 * texels))];
    const angle = 2 * Math.PI * [(3 * x) / texels, (2 * y) / texels, (2 * x) / texels + y / texels][c];
    return 0.5 + 0.4 * Math.sin(angle);
  });
  return { ...size, colors };
}

interface TexturedScene {
  readonly mesh: TriangleMesh;
  readonly renderer: SceneRenderer;
  readonly size: number;
  readonly views: number;
}

function texturedModel({ mesh, renderer, size, views }: TexturedScene, texture: Texture): Model {
  const scene = createScene([
    rigid(),
    render({ width: size, height: size }),
    renderer({ softness: 1e-6, depthSoftness: 1e-5, near: 0.5, far: 10 }),
  ]);
  scene.add(Body, { mesh: { ...mesh, colors: undefined, textures: [texture] }, mass: 1 }, 'the shape');
  addCamerasAround(scene, views, { distance: 4, fieldOfView: 0.6 });
  return buildModel(scene);
}
