import type { Texture, TriangleMesh } from '@gradsim/mesh';
import { icosphere } from '@gradsim/mesh';
import type { Estimate } from '@gradsim/optim';
import { readFrames } from '@gradsim/video';
import { meshFrom } from './meshes.ts';
import { sphereUvs } from './sphere-uvs.ts';

/** Initial reflectance of each colour channel of all texels, 0 to 1. */
export const GREY = 0.5;

/**
 * Reads a mesh (a ball without `mesh`), with texture coordinates of its own or projected ones. @throws if it has none
 * of its own.
 */
export async function texturedMesh({
  mesh: file,
  uvs = file ? 'own' : 'sphere',
}: {
  mesh?: string;
  uvs?: string;
}): Promise<TriangleMesh> {
  if (uvs !== 'own' && uvs !== 'sphere')
    throw new Error(`The setting uvs is "${uvs}"; it is own, those of the mesh, or sphere.`);
  const mesh = file ? await meshFrom(file, { looks: uvs === 'own' }) : icosphere({ radius: 1, subdivisions: 3 });
  if (uvs === 'sphere') return { ...mesh, uvs: sphereUvs(mesh) };
  if (mesh.uvs) return mesh;
  throw new Error(
    `${file ?? 'The ball'} has no texture coordinates, which say where on the texture each corner lies: take a mesh that has, or --set uvs=sphere, which projects them from its middle.`,
  );
}

/**
 * Target texture of `texels` x `texels` texels: a picture resampled, or without a file, crossed sinusoidal stripes in
 * three colours.
 */
export async function targetTexture(
  file: string | undefined,
  texels: number,
): Promise<Texture & { colors: Float64Array }> {
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

/**
 * Error of the estimated texture: `rms` over the texels that any picture shows, and their fraction of all (`seen`). The
 * others have no gradient and stay grey.
 */
export function textureError(
  { arrays }: Pick<Estimate, 'arrays'>,
  truth: ArrayLike<number>,
): { readonly rms: number; readonly seen: number } {
  const { estimate } = arrays.texels;
  const seen = [...estimate.keys()].filter((k) => estimate[k] !== GREY);
  const squares = seen.reduce((sum, k) => sum + (estimate[k] - truth[k]) ** 2, 0);
  return { rms: Math.sqrt(squares / seen.length), seen: seen.length / estimate.length };
}

/** Sentence for the report with the result of {@link textureError}. */
export function textureNote(found: Estimate, truth: ArrayLike<number>): string {
  const { rms, seen } = textureError(found, truth);
  return `Of the texels ${(100 * seen).toFixed(1)} % are seen; the root mean square of their error is ${rms.toExponential(2)}.`;
}
