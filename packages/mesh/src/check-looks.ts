import { describeValue, GradsimError } from '@gradsim/base';
import { nameOf } from './elements.ts';
import { type Texture, type TriangleMesh, triangleCount, vertexCount } from './mesh.ts';

/**
 * Checks colours, textures and texture coordinates of a mesh.
 * @throws GradsimError when their number does not match the mesh, or they are not finite.
 */
export function checkLooks(mesh: TriangleMesh): void {
  checkColors(mesh);
  checkUvs(mesh);
  checkTextures(mesh);
}

function checkColors(mesh: TriangleMesh): void {
  if (!mesh.colors) return;
  const on = mesh.colorsOn ?? 'vertices';
  const count = on === 'vertices' ? vertexCount(mesh) : triangleCount(mesh);
  if (mesh.colors.length !== 3 * count) {
    throw new GradsimError(
      'mesh/wrong-size',
      `${nameOf(mesh)}: ${mesh.colors.length} colour values for ${count} ${on}.`,
      { hint: `There must be 3 each, ${3 * count}.` },
    );
  }
  const at = mesh.colors.findIndex((value) => !Number.isFinite(value));
  if (at >= 0)
    throw new GradsimError(
      'mesh/not-finite',
      `${nameOf(mesh)}: the colour of ${on} ${Math.floor(at / 3)} holds ${mesh.colors[at]}.`,
      { hint: 'All must be finite numbers.' },
    );
}

function checkUvs(mesh: TriangleMesh): void {
  if (!mesh.uvs) return;
  const count = triangleCount(mesh);
  if (mesh.uvs.length !== 6 * count)
    throw new GradsimError(
      'mesh/wrong-size',
      `${nameOf(mesh)}: ${mesh.uvs.length} values in uvs for ${count} triangles.`,
      { hint: `There must be 6 each, u and v of three corners, ${6 * count}.` },
    );
  for (let k = 0; k < mesh.uvs.length; k++)
    if (!Number.isFinite(mesh.uvs[k]))
      throw new GradsimError(
        'mesh/not-finite',
        `${nameOf(mesh)}: triangle ${Math.floor(k / 6)} has the texture coordinate ${mesh.uvs[k]}.`,
        { hint: 'All must be finite numbers.' },
      );
}

function checkTextures(mesh: TriangleMesh): void {
  const { textures = [], triangleTextures, uvs } = mesh;
  if (textures.length > 0 && !uvs)
    throw new GradsimError(
      'mesh/no-texture-coordinates',
      `${nameOf(mesh)} has a texture, but no uvs, which say where on it the corners of triangles lie.`,
    );
  textures.forEach((texture, k) => {
    checkTexture(texture, `${nameOf(mesh)}: texture ${k}`);
  });
  if (!triangleTextures) return;
  const count = triangleCount(mesh);
  if (triangleTextures.length !== count)
    throw new GradsimError(
      'mesh/wrong-size',
      `${nameOf(mesh)}: ${triangleTextures.length} values in triangleTextures for ${count} triangles.`,
      { hint: 'There must be one each.' },
    );
  for (let t = 0; t < count; t++)
    if (!textures[triangleTextures[t]])
      throw new GradsimError(
        'mesh/no-such-texture',
        `${nameOf(mesh)}: triangle ${t} has texture ${triangleTextures[t]}, but there are ${textures.length}, from 0.`,
      );
}

function checkTexture({ width, height, colors, wrap }: Texture, who: string): void {
  for (const [side, size] of Object.entries({ width, height }))
    if (!Number.isInteger(size) || size < 1)
      throw new GradsimError('mesh/texture-size', `${who} has the ${side} ${size}.`, {
        hint: 'It must be a whole number of at least 1.',
      });
  if (colors.length !== 3 * width * height)
    throw new GradsimError(
      'mesh/wrong-size',
      `${who} has ${width} x ${height} texels, but ${colors.length} values in colors.`,
      { hint: `There must be 3 each, ${3 * width * height}.` },
    );
  for (let k = 0; k < colors.length; k++)
    if (!Number.isFinite(colors[k]))
      throw new GradsimError('mesh/not-finite', `texel ${Math.floor(k / 3)} has the colour ${colors[k]}.`, {
        element: who,
        hint: 'All must be finite numbers.',
      });
  if (wrap !== undefined && wrap !== 'repeat' && wrap !== 'clamp')
    throw new GradsimError(
      'mesh/unknown-choice',
      `${who} has wrap ${describeValue(wrap)}; there are 'repeat' and 'clamp'.`,
    );
}
