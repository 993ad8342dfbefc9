import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { Texture, TriangleMesh } from '@gradsim/mesh';
import { defineExperiment, textSetting, wholeSetting } from '@gradsim/optim';
import { render, texelColor } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { GREY, targetTexture, texturedMesh, textureNote } from './appearance/textured.ts';
import { type PictureSettings, pictureSettings } from './scenes/renderers.ts';
import { addCamerasAround, seenStills } from './scenes/stills.ts';

function texturedModel(
  mesh: TriangleMesh,
  texture: Texture,
  { renderer, size, views }: PictureSettings & { readonly views: number },
): Model {
  const drawing = renderer({ softness: 1e-6, depthSoftness: 1e-5, near: 0.5, far: 10 });
  const scene = createScene([rigid(), render({ width: size, height: size }), drawing]);
  scene.add(Body, { mesh: { ...mesh, colors: undefined, textures: [texture] }, mass: 1 }, 'the shape');
  addCamerasAround(scene, views, { distance: 4, fieldOfView: 0.6 });
  return buildModel(scene);
}

/**
 * Estimates the texture of a known shape from pictures from all sides: the colour of each texel is unknown. Settings:
 * `mesh`, a file with texture coordinates (default a ball), or `uvs=sphere` to project them from its middle; `texture`,
 * a picture to use as the true texture (default stripes), unless `--video` has pictures, one per camera; `texels`
 * across and down, `size` of the pictures, `views`, `iterations`, `renderer`.
 */
export default defineExperiment({
  name: 'texture',
  description: 'The texture of a known shape, texel by texel, from pictures from all sides.',
  settings: {
    ...pictureSettings(96, 1),
    mesh: textSetting,
    uvs: textSetting,
    texture: textSetting,
    texels: wholeSetting(32),
    views: wholeSetting(12),
    iterations: wholeSetting(60),
  },
  stages: async (context) => {
    const { settings, video } = context;
    const mesh = await texturedMesh(settings);
    const texture = await targetTexture(settings.texture, settings.texels);
    const model = texturedModel(mesh, { ...texture, colors: texture.colors.map(() => GREY) }, settings);
    const pictures = await seenStills(model, texturedModel(mesh, texture, settings), context);
    const truth = video === undefined ? texture.colors : undefined;
    return [
      pictures.stage(model, {
        name: 'texture',
        arrays: [{ name: 'texels', field: texelColor, initial: GREY, truth }],
        options: { search: { iterations: settings.iterations } },
        notes: (found) => (truth ? [textureNote(found, truth)] : []),
      }),
    ];
  },
});
