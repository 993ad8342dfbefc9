import { icosphere } from '@gradsim/mesh';
import type { ArraySpec } from '@gradsim/optim';
import { choiceSetting, defineExperiment, textSetting, wholeSetting } from '@gradsim/optim';
import { texelColor } from '@gradsim/render';
import { BodyVertex } from '@gradsim/rigid';
import { banana, meshFrom } from './appearance/meshes.ts';
import { shapeModel, shapeNotes, smoothness, stripes, textured } from './appearance/unknown-shape.ts';
import { pictureSettings } from './scenes/renderers.ts';
import { seenStills } from './scenes/stills.ts';

/** Initial reflectance of each colour channel of all texels, 0 to 1. */
const GREY = 0.6;

/**
 * Estimates a shape from pictures from all sides, starting from a ball: the positions of all vertices are unknown.
 * Settings: `mesh`, the file of the shape to render as target (default a banana), unless `--video` has pictures with a
 * mask (alpha), one per camera; `unknown=both` to estimate a texture too; `subdivisions` of the ball (2: 162 vertices),
 * `size` of the pictures, `views`, `iterations`, `renderer`.
 */
export default defineExperiment({
  name: 'shape',
  description: 'A shape, and its texture where asked, from pictures from all sides, from a ball on.',
  settings: {
    ...pictureSettings(64, 1),
    mesh: textSetting,
    unknown: choiceSetting(['shape', 'both']),
    subdivisions: wholeSetting(2),
    views: wholeSetting(10),
    iterations: wholeSetting(600),
  },
  stages: async (context) => {
    const { settings, video } = context;
    const hasTexture = settings.unknown === 'both';
    const ball = icosphere({ radius: 0.5, subdivisions: settings.subdivisions });
    const target = await (settings.mesh ? meshFrom(settings.mesh) : banana());
    const model = shapeModel(hasTexture ? textured(ball, () => GREY) : ball, settings);
    const truth = shapeModel(hasTexture ? textured(target, stripes) : target, settings);
    const pictures = await seenStills(model, truth, context);
    const vertices = Array.from(model.field(BodyVertex.local).values!);
    const texels: ArraySpec = { name: 'texels', field: texelColor, initial: GREY, scale: 3 };
    return [
      pictures.stage(model, {
        name: settings.unknown,
        arrays: [{ name: 'vertices', field: BodyVertex.local, initial: vertices }, ...(hasTexture ? [texels] : [])],
        losses: smoothness(ball),
        options: { search: { method: 'adam', learningRate: 0.01, iterations: settings.iterations, decay: 0.995 } },
        notes: (found) => shapeNotes(found, pictures.observation, video === undefined ? target : undefined),
      }),
    ];
  },
});
