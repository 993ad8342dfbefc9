import type { F32, Model } from '@gradsim/core';
import {
  abs,
  bind,
  f32,
  fieldOn,
  floor,
  index,
  kernel,
  log,
  max,
  min,
  select,
  sqrt,
  u32,
  vec2,
  vec3,
} from '@gradsim/core';
import type { ImageLayout } from '../layout.ts';
import { cross2 } from '../plane.ts';
import { pyramidColor, texelColor } from './texel-color.ts';

/** Position of a texture in the field `texels`: index of its first texel, and its size in texels. */
export interface StoredTexture {
  readonly first: number;
  readonly width: number;
  readonly height: number;
}

/** Position of one mip level of a texture in the domain `pyramid`, which holds all levels of all textures. */
type MipLevel = StoredTexture;

/**
 * Adds mip maps. Each texture gets levels of half the size each, down to one texel; each texel is the mean of four of
 * the level before. Passes choose a level for each face and camera, by the mean number of texels per pixel of the face;
 * faces that extend behind the camera use level 0. Derivatives treat the choice as constant. Source: Williams 1983,
 * Pyramidal parametrics.
 *
 * @param textureOfFace index into `textures` of each face.
 */
export function addMipMaps(
  model: Model,
  textures: readonly StoredTexture[],
  textureOfFace: readonly number[],
  layout: ImageLayout,
): void {
  const pyramids = mipLevelsOf(textures);
  const all = pyramids.flat();
  model.addDomain(
    'pyramid',
    all.reduce((sum, { width, height }) => sum + width * height, 0),
  );
  const places = textures.flatMap(({ width, height }, t) => indexRange(pyramids[t][0].first, width * height));
  model.addIndex('texels', 'inPyramid', 'pyramid', 1, places);
  model.addPass('render', placeTexels);
  const most = Math.max(...pyramids.map(({ length }) => length));
  for (let level = 1; level < most; level++) addLevel(model, pyramids, level);
  const column = (value: (level: MipLevel) => number): number[] => all.map(value);
  model.addDomain('textureLevels', all.length);
  model.addField('textureLevels', 'first', u32, { values: column(({ first }) => first) });
  model.addField('textureLevels', 'width', u32, { values: column(({ width }) => width) });
  model.addField('textureLevels', 'height', u32, { values: column(({ height }) => height) });
  const firstLevels = pyramids.map((_, t) => pyramids.slice(0, t).reduce((sum, { length }) => sum + length, 0));
  const ofFace = (value: (texture: number) => number): number[] => textureOfFace.map(value);
  model.addField('faces', 'firstLevel', u32, { values: ofFace((t) => firstLevels[t]) });
  model.addField('faces', 'levels', u32, { values: ofFace((t) => pyramids[t].length) });
  model.addPass('render', bind(chooseLevel(layout), FACE_PORT_NAMES));
}

const indexRange = (first: number, count: number): number[] => Array.from({ length: count }, (_, k) => first + k);

function mipLevelsOf(textures: readonly StoredTexture[]): MipLevel[][] {
  let first = 0;
  return textures.map(({ width, height }) => {
    const levels: MipLevel[] = [];
    for (let [w, h] = [width, height]; ; [w, h] = [Math.max(1, w >> 1), Math.max(1, h >> 1)]) {
      levels.push({ first, width: w, height: h });
      first += w * h;
      if (w === 1 && h === 1) return levels;
    }
  });
}

const placeTexels = kernel(
  'placeTexels',
  {
    domain: 'texels',
    reads: { color: vec3, inPyramid: index('pyramid') },
    adds: { placed: fieldOn(pyramidColor) },
  },
  ({ color, inPyramid, placed }) => placed.add(inPyramid, color),
);

const domainOf = (level: number): string => (level === 0 ? texelColor.domain : `mipMaps${level}`);

/** Adds mip level `level` of all textures that have one, over a domain of its own, computed from level `level - 1`. */
function addLevel(model: Model, pyramids: readonly (readonly MipLevel[])[], level: number): void {
  const [domain, above] = [domainOf(level), domainOf(level - 1)];
  const places: number[] = [];
  const four: number[] = [];
  let firstAbove = 0;
  for (const levels of pyramids) {
    const [from, own] = [levels[level - 1], levels[level]];
    if (own) {
      places.push(...indexRange(own.first, own.width * own.height));
      for (let row = 0; row < own.height; row++)
        for (let k = 0; k < own.width; k++)
          for (const [down, right] of [
            [0, 0],
            [0, 1],
            [1, 0],
            [1, 1],
          ]) {
            const [y, x] = [Math.min(2 * row + down, from.height - 1), Math.min(2 * k + right, from.width - 1)];
            four.push(firstAbove + y * from.width + x);
          }
    }
    if (from) firstAbove += from.width * from.height;
  }
  model.addDomain(domain, places.length);
  model.addIndex(domain, 'inPyramid', 'pyramid', 1, places);
  model.addIndex(domain, 'four', above, 4, four);
  model.addField(domain, 'color', vec3);
  model.addPass('render', bind(halveLevel(domain, above), { finer: 'color' }));
}

const halveLevel = (domain: string, above: string) =>
  kernel(
    `halve_${above}`,
    {
      domain,
      reads: { four: index(above, 4), finer: fieldOn(above, vec3), inPyramid: index('pyramid') },
      writes: { color: vec3 },
      adds: { placed: fieldOn(pyramidColor) },
    },
    ({ four, finer, inPyramid, placed }) => {
      const color = four
        .map((texel) => finer.at(texel))
        .reduce((a, b) => a.add(b))
        .mul(0.25);
      placed.add(inPyramid, color);
      return { color };
    },
  );

/**
 * Names by which the kernel reads the texture fields of `faces`, since it writes fields of the same names to
 * `viewFaces`.
 */
const FACE_PORT_NAMES = { sizeAcross: 'textureWidth', sizeDown: 'textureHeight', clampsOfFace: 'textureClamps' };

/** Kernel that chooses the mip level of each face and camera, and writes its texture fields to `viewFaces`. */
const chooseLevel = ({ width, height }: ImageLayout) =>
  kernel(
    'chooseLevel',
    {
      domain: 'viewFaces',
      reads: {
        face: index('faces'),
        corners: index('viewVertices', 3),
        ndc: fieldOn('viewVertices', vec3),
        u: fieldOn('faces', vec3),
        v: fieldOn('faces', vec3),
        sizeAcross: fieldOn('faces', u32),
        sizeDown: fieldOn('faces', u32),
        clampsOfFace: fieldOn('faces', u32),
        firstLevel: fieldOn('faces', u32),
        levels: fieldOn('faces', u32),
        first: fieldOn('textureLevels', u32),
        width: fieldOn('textureLevels', u32),
        height: fieldOn('textureLevels', u32),
      },
      writes: { firstTexel: u32, textureWidth: u32, textureHeight: u32, textureClamps: u32 },
    },
    ({ face, corners, ndc, u, v, sizeAcross, sizeDown, clampsOfFace, firstLevel, levels, ...level }) => {
      const [a, b, c] = corners.map((corner) => ndc.at(corner));
      const inPixels = ({ x, y }: { x: F32; y: F32 }) => vec2(x.mul(width / 2), y.mul(height / 2));
      const area = (from: [F32, F32], p: [F32, F32], q: [F32, F32]): F32 =>
        abs(cross2(vec2(p[0].sub(from[0]), p[1].sub(from[1])), vec2(q[0].sub(from[0]), q[1].sub(from[1]))));
      const pixels = [a, b, c].map(inPixels).map(({ x, y }): [F32, F32] => [x, y]);
      const across = sizeAcross.at(face).toI32().toF32();
      const down = sizeDown.at(face).toI32().toF32();
      const [us, vs] = [u.at(face).mul(across), v.at(face).mul(down)];
      const texels: [F32, F32][] = [
        [us.x, vs.x],
        [us.y, vs.y],
        [us.z, vs.z],
      ];
      const texelArea = area(texels[0], texels[1], texels[2]);
      const pixelArea = area(pixels[0], pixels[1], pixels[2]);
      const isWhole = min(a.z, min(b.z, c.z)).gt(0).and(pixelArea.gt(0)).and(texelArea.gt(0));
      const perPixel = sqrt(select(isWhole, texelArea, f32(1)).div(select(isWhole, pixelArea, f32(1))));
      const wanted = floor(
        log(max(perPixel, 1))
          .mul(1 / Math.LN2)
          .add(0.5),
      );
      const coarsest = levels.at(face).toI32().toF32().sub(1);
      const chosen = firstLevel.at(face).add(min(wanted, coarsest).toU32());
      return {
        firstTexel: level.first.at(chosen),
        textureWidth: level.width.at(chosen),
        textureHeight: level.height.at(chosen),
        textureClamps: clampsOfFace.at(face),
      };
    },
  );
