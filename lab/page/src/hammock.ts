import { addCloth, cloth } from '@gradsim/cloth';
import { ContactSphere, contact, contactOf, HalfSpace, surfaceContact } from '@gradsim/contact';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { chain, formatGlb, parseGltf, placeMesh, plane, type TriangleMesh } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { addSprings, springs } from '@gradsim/springs';
import { encodeFrames, readFrames } from '@gradsim/video';
import type { Bits } from './bits.ts';
import { bitsOf } from './bits.ts';

/** Width, and also height, of the pictures, px. */
const SIZE = 16;
const PARAMETERS = ['triangles.mu', 'springs.stiffness', 'particles.velocity'];

/**
 * Simulates and films a sheet that falls onto a ball while a chain of springs swings beside it. The sheet's mesh and
 * the film are encoded as files in memory and read back.
 */
export async function hammock(device: Device): Promise<Bits> {
  const scene = createScene([
    particles(),
    springs(),
    cloth(),
    contact(),
    surfaceContact({ maxSpeed: 4 }),
    render({ width: SIZE, height: SIZE }),
    softRas({ sigma: 1e-3, gamma: 1e-2 }),
  ]);
  const square = await throughGltf(plane({ size: [0.4, 0.4], segments: [6, 6] }));
  const sheet = placeMesh(square, { translation: [0, 0.32, 0] });
  const fabric = addCloth(scene, sheet, { mu: 80, lambda: 80, density: 0.3, bendStiffness: 1e-4, drag: 0.4 });
  for (const particle of fabric.particles)
    scene.attach(particle, contactOf(Particle), { ke: 60, kd: 0.05, kf: 0.1, mu: 0.3, thickness: 0.02 });
  addSprings(scene, chain({ from: [0.3, 0.6, 0], to: [0.7, 0.6, 0], segments: 4 }), {
    mass: 0.02,
    stiffness: 200,
    damping: 0.2,
    fixed: [0],
  });
  scene.add(ContactSphere, { position: [0, 0.15, 0], radius: 0.15, ke: 60, kd: 0.05, kf: 0.1, mu: 0.3 });
  scene.add(HalfSpace, {});
  scene.add(OrbitCamera, { target: [0, 0.25, 0], distance: 1.4, elevation: 0.4, fieldOfView: 0.7 });
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 8,
    frameRate: 30,
    substeps: 96,
    record: ['pixels.rgba'],
    parameters: PARAMETERS,
    outputs: ['pixels.rgba', 'particles.position'],
  });
  simulation.forward();
  const pictures = await simulation.readFrames('pixels.rgba');
  const position = await simulation.read('particles.position');
  simulation.backward({
    'pixels.rgba': pictures.map((value, k) => Math.fround(value - (k % 8) / 8)),
    'particles.position': position.map((_, k) => (k % 3) - 1),
  });
  const results: Bits = { pictures: bitsOf(pictures), position: bitsOf(position) };
  for (const key of PARAMETERS) results[`gradient of ${key}`] = bitsOf(await simulation.gradient(key));
  simulation.dispose();
  results['film as read'] = bitsOf(await throughFile(pictures));
  return results;
}

/** Encodes pictures as a GIF and decodes them again. */
async function throughFile(pictures: Float64Array): Promise<ArrayLike<number>> {
  const data = Float32Array.from(pictures, (value) => Math.round(8 * Math.min(1, Math.max(0, value))) / 8);
  const film = { width: SIZE, height: SIZE, channels: 4, frameRate: 30, data } as const;
  const { data: read } = await readFrames(await encodeFrames(film, 'gif'));
  return read;
}

/** Encodes a textured mesh as glTF and decodes it again. @throws if the decoded texture differs. */
async function throughGltf(mesh: TriangleMesh): Promise<TriangleMesh> {
  const uvs = Array.from(mesh.triangles).flatMap((v) => [mesh.positions[3 * v], mesh.positions[3 * v + 2]]);
  const colors = [1, 0, 0, 0, 0, 1];
  const written = await formatGlb({ ...mesh, uvs, textures: [{ width: 2, height: 1, colors }] });
  const read = await parseGltf(written);
  const [texture] = read.textures ?? [];
  if (texture === undefined || Array.from(texture.colors).join() !== colors.join())
    throw new Error(`The texture is ${JSON.stringify(read.textures)} after it was written and read.`);
  return read;
}
