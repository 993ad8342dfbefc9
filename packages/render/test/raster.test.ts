import type { Mat33 } from '@gradsim/core';
import {
  adjointOf,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  index,
  kernel,
  select,
  vec3,
  vec4,
  when,
} from '@gradsim/core';
import { fromRows, inPicture, placeOf, toRows } from '@gradsim/render';
import type { RasterShape } from '@gradsim/render/raster';
import {
  addColorAdjoint,
  backgroundType,
  colorAt,
  defineRenderer,
  depthOf,
  FACES_OF_PIXEL,
  overFaces,
  overPixels,
  PIXELS_OF_FACE,
  zeroMatrix,
} from '@gradsim/render/raster';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { colorType } from '../src/appearance/color.ts';
import { addPicture } from '../src/raster/drawing.ts';

/*
 * A renderer written with nothing but what renderers share: a pixel shows the nearest face that covers it, with
 * perspective-correct colours of its corners, else the background. From `depth` the adjoint knows which face it was.
 */
function draw(shape: RasterShape) {
  const { layout } = shape;
  return kernel(
    'drawNearest',
    {
      domain: 'pixels',
      reads: {
        color: fieldOn('faces', colorType('corner')),
        background: backgroundType('color'),
        ...FACES_OF_PIXEL,
      },
      writes: { rgba: vec4, depth: f32 },
      adjoint: () => [colorAdjoint(shape)],
    },
    ({ color, background, ...fields }, { element }) => {
      const place = placeOf(layout, element);
      const start = { depth: f32(1e9), alpha: f32(0), rgb: background };
      const end = overFaces(shape, 0, fields, place, start, (face, meeting, sums): typeof start => {
        const seen = depthOf(meeting.triangle, meeting.barycentric);
        const isShown = meeting.barycentric.inside.and(seen.z.lt(sums.depth));
        const rgb = colorAt(color.at(face), seen.weights);
        return {
          depth: select(isShown, seen.z, sums.depth),
          alpha: select(isShown, f32(1), sums.alpha),
          rgb: select(isShown, rgb, sums.rgb),
        };
      });
      const rgba = [...end.rgb.components, end.alpha].map((v) => inPicture(layout, place, v));
      return { rgba: vec4(rgba[0], rgba[1], rgba[2], rgba[3]), depth: end.depth };
    },
  );
}

/**
 * Kernel for the adjoint with respect to colours: each face loops over the pixels near it, and sums over those that
 * show it.
 */
function colorAdjoint(shape: RasterShape) {
  const type = colorType('corner');
  return kernel(
    'drawNearest_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        viewFace: index('viewFaces'),
        face: index('faces'),
        depth: fieldOn('pixels', f32),
        rgbaBar: adjointOf('rgba', fieldOn('pixels', vec4)),
        ...PIXELS_OF_FACE,
      },
      adds: { colorBar: adjointOf('color', fieldOn('faces', type)) },
    },
    ({ face, viewFace: _, depth, rgbaBar, colorBar, ...fields }, { element }) => {
      const end = overPixels(shape, 0, element, fields, { colors: zeroMatrix() }, (meeting, sums) => {
        const seen = depthOf(meeting.triangle, meeting.barycentric);
        return when(
          meeting.barycentric.inside.and(seen.z.eq(depth.at(meeting.pixel))),
          () => {
            const { x, y, z } = rgbaBar.at(meeting.pixel);
            return { colors: addColorAdjoint(sums.colors, vec3(x, y, z), seen.weights) as Mat33 };
          },
          () => sums,
        );
      });
      colorBar.add(face, end.colors as never);
    },
  );
}

const SIZE = { width: 21, height: 13 };
const BACKGROUND = [0.1, 0.2, 0.3] as const;
const seed = 4711;
console.info(`random faces from seed ${seed}`);

function randomMesh(count: number) {
  const random = randomNumbers(seed);
  const vertices = Array.from({ length: 9 * count }, (_, k) => (k % 3 === 2 ? 1 + 3 * random() : 2.4 * random() - 1.2));
  const colors = Array.from({ length: 9 * count }, () => random());
  return { vertices, colors, faces: Array.from({ length: 3 * count }, (_, k) => k) };
}

/** Draws a picture by testing every pixel against every face: red, green, blue and alpha, row by row from the top. */
function bruteForce({ vertices, colors }: ReturnType<typeof randomMesh>): Float64Array {
  const { width, height } = SIZE;
  const rows = new Float64Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [(2 * column + 1 - width) / width, (height - 1 - 2 * row) / height];
      let [nearest, shown] = [1e9, [...BACKGROUND, 0]];
      for (let f = 0; f < vertices.length / 9; f++) {
        const corners = [0, 1, 2].map((k) => vertices.slice(9 * f + 3 * k, 9 * f + 3 * k + 3));
        const area = (a: readonly number[], b: readonly number[], [px, py]: readonly number[]): number =>
          (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
        const all = area(corners[0], corners[1], corners[2]);
        const w = [0, 1, 2].map((k) => area(corners[(k + 1) % 3], corners[(k + 2) % 3], [x, y]) / all);
        if (Math.min(...w) <= 0) continue;
        const overZ = w.map((weight, k) => weight / corners[k][2]);
        const z = 1 / (overZ[0] + overZ[1] + overZ[2]);
        if (z >= nearest) continue;
        nearest = z;
        shown = [0, 1, 2].map((c) => overZ.reduce((sum, o, k) => sum + o * z * colors[9 * f + 3 * k + c], 0));
        shown.push(1);
      }
      rows.set(shown, 4 * (row * width + column));
    }
  }
  return rows;
}

describe('a renderer built from the shared rasteriser', () => {
  const mesh = randomMesh(70);
  const { deviceScene } = defineRenderer({
    name: 'nearest',
    functionName: 'nearest',
    defaults: {},
    deviceReach: () => 0,
    prepare: ({ model }) => addPicture(model, 'depth'),
    color: ({ shape }) => draw(shape),
  });
  const { model, layout } = deviceScene(SIZE, mesh, { colors: 'corner', backgroundColor: BACKGROUND });
  const run = { device: f64Device(), frames: 1, frameRate: 1, substeps: 1, record: ['pixels.rgba'] };

  it('draws the nearest face in every pixel, its colours interpolated in space, like brute force', async () => {
    const simulation = await createSimulation(model, run);
    simulation.forward();
    const rows = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
    const expected = bruteForce(mesh);
    expect(expected.filter((alpha, k) => k % 4 === 3 && alpha === 1).length).toBeGreaterThan(100);
    rows.forEach((value, k) => expect(value).toBeCloseTo(expected[k], 12));
  });

  // The picture is linear in the colours: <w, picture(colours)> - <w, picture(0)> is the gradient times the colours.
  it('has a gradient by the colours that, times the colours, is the change of the picture from black', async () => {
    const random = randomNumbers(seed + 1);
    const simulation = await createSimulation(model, { ...run, parameters: ['faces.color'] });
    const weights = Float64Array.from({ length: 4 * SIZE.width * SIZE.height }, (_, k) => (k % 4 < 3 ? random() : 0));
    const lossOf = async (colors: ArrayLike<number>): Promise<number> => {
      simulation.set('faces.color', colors);
      simulation.forward();
      const rows = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
      return rows.reduce((sum, value, k) => sum + weights[k] * value, 0);
    };
    const difference = -(await lossOf(new Float64Array(mesh.colors.length))) + (await lossOf(mesh.colors));
    simulation.backward({ 'pixels.rgba': fromRows(layout, weights, 4) });
    const gradient = await simulation.gradient('faces.color');
    const along = Array.from(gradient).reduce((sum, g, k) => sum + g * mesh.colors[k], 0);
    expect(difference).toBeGreaterThan(10);
    expect(along).toBeCloseTo(difference, 10);
  });
});
