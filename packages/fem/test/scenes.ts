import type { Scene, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { SoftBodyOptions } from '@gradsim/fem';
import { addSoftBody, fem, quadraticMesh, quadraticTetEnergy, tetEnergy } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import { Gravity, particles, RestPosition } from '@gradsim/particles';

/** Builds a soft body with particles at `positions`, whose rest shape is the mesh. */
export function deformed(mesh: TetMesh, positions: ArrayLike<number>, options: SoftBodyOptions): Scene {
  const scene = createScene([particles(), fem()]);
  const body = addSoftBody(scene, { ...mesh, positions: Float64Array.from(positions) }, options);
  body.particles.forEach((entity, k) => {
    scene.attach(entity, RestPosition, { restPosition: [...mesh.positions.subarray(3 * k, 3 * k + 3)] });
  });
  return scene;
}

/** Builds a body of quadratic elements whose rest shape is the mesh; {@link forces} displaces its nodes. */
export function quadraticBody(mesh: TetMesh, options: SoftBodyOptions): Scene {
  const scene = createScene([particles(), fem()]);
  const body = addSoftBody(scene, mesh, { ...options, elements: 'quadratic' });
  const { positions } = quadraticMesh(mesh);
  body.particles.forEach((entity, k) => {
    scene.attach(entity, RestPosition, { restPosition: [...positions.subarray(3 * k, 3 * k + 3)] });
  });
  return scene;
}

/** Forces on all particles (each of 1 kg), and the derivative of the elastic energy with respect to their positions. */
export async function forces(
  scene: Scene,
  elements: 'tets' | 'quadraticTets' = 'tets',
  moved: { readonly positions?: ArrayLike<number>; readonly velocities?: ArrayLike<number> } = {},
): Promise<{ force: Float64Array; slope: Float64Array; energy: number }> {
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const model = buildModel(scene);
  model.addPass('observe', elements === 'tets' ? tetEnergy : quadraticTetEnergy);
  const energies = `${elements}.energy`;
  const simulation: Simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 2,
    frameRate: 1,
    onWarning: () => {}, // One step is no motion.
    substeps: 1,
    parameters: ['particles.position'],
    record: [energies],
  });
  const before = Float64Array.from(moved.velocities ?? model.field('particles.velocity').values!);
  if (moved.positions) simulation.set('particles.position', Float64Array.from(moved.positions));
  if (moved.velocities) simulation.set('particles.velocity', before);
  simulation.forward();
  const velocity = await simulation.read('particles.velocity');
  const size = model.domain(elements).size;
  simulation.backward({ [energies]: Array.from({ length: 2 * size }, (_, k) => (k < size ? 1 : 0)) });
  const slope = Float64Array.from(await simulation.gradient('particles.position'));
  const recorded = await simulation.readFrames(energies);
  const energy = recorded.slice(0, size).reduce((sum, e) => sum + e, 0);
  simulation.dispose();
  return { force: velocity.map((v, k) => v - before[k]), slope, energy };
}

/** Returns the rotation matrix, row by row, of a random quaternion. */
export function randomRotation(random: () => number): number[] {
  const q = Array.from({ length: 4 }, () => random());
  const [x, y, z, w] = q.map((c) => c / Math.hypot(...q));
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ].flat();
}

/** Multiplies every point by a matrix (row by row), and adds an offset. */
export const transformed = (
  positions: ArrayLike<number>,
  m: readonly number[],
  offset: readonly number[] = [0, 0, 0],
): number[] =>
  Array.from({ length: positions.length }, (_, k) => {
    const [first, row] = [k - (k % 3), k % 3];
    return [0, 1, 2].reduce((sum, c) => sum + m[3 * row + c] * positions[first + c], offset[row]);
  });

export const norm = (values: ArrayLike<number>): number => Math.hypot(...Array.from(values));
