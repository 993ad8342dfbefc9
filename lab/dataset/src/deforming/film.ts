import { cpuDevice, createSimulation, type Device, GradsimError, type Model } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { layoutOf, Pixel } from '@gradsim/render';
import { judgeFrames, type RejectionReason } from '../judge.ts';
import { FILM } from '../picture.ts';
import { type Pictures, picturesOf } from '../pictures.ts';
import { randomOf } from '../random.ts';
import { drawCloth, drawSoft } from './draw.ts';
import { type DeformingScene, deformingModel } from './scene.ts';

/** An accepted film, with the positions of its particles, m, `[frame][particle][x, y, z]`. */
export interface DeformingFilm {
  readonly sample: number;
  readonly scene: DeformingScene;
  readonly particles: Float32Array;
  /** Mass of the object, kg. */
  readonly mass: number;
  readonly pictures: Pictures;
  readonly redrawn: Partial<Record<RejectionReason, number>>;
}

/** Numbers of substeps per frame that are tried; the smallest stable one is used. */
const SUBSTEPS = [64, 128, 256, 512] as const;
/** Maximum number of random scenes tried for a sample. */
const MAX_DRAWS = 1000;
/** Relative gain of energy above which a run counts as unstable. */
const ENERGY_TOLERANCE = 0.05;

/** Draws scenes of a sample until one is accepted, and films it. */
export async function filmDeforming(
  kind: DeformingScene['kind'],
  sample: number,
  { seed, size }: { readonly seed: number; readonly size: number },
): Promise<DeformingFilm> {
  const device = cpuDevice({ threads: 1 });
  const redrawn: Partial<Record<RejectionReason, number>> = {};
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const random = randomOf(seed, sample, attempt);
    const draw = kind === 'soft' ? drawSoft(random, size) : drawCloth(random, size);
    const substeps = await stableSubstepsOf({ ...draw, substeps: SUBSTEPS[0] }, device);
    const scene = { ...draw, substeps: substeps ?? SUBSTEPS[0] };
    const motion = substeps === null ? 'tooStiff' : await move(scene, device);
    const reason = typeof motion === 'string' ? motion : judgeFrames(motion.frames, scene);
    if (typeof motion === 'string' || reason !== null) {
      redrawn[reason!] = (redrawn[reason!] ?? 0) + 1;
      continue;
    }
    const particles = Float32Array.from(motion.frames.flatMap((frame) => [...frame]));
    const pictures = await photograph(deformingModel(scene), scene, device);
    return { sample, scene, particles, mass: motion.mass, pictures, redrawn };
  }
  throw new Error(`Sample ${sample} was drawn ${MAX_DRAWS} times: ${JSON.stringify(redrawn)}.`);
}

/**
 * Smallest stable number of substeps per frame of a scene, by `Simulation.stableStep`; null if none of those tried is
 * stable. `scene.substeps` is ignored.
 */
export async function stableSubstepsOf(scene: DeformingScene, device: Device): Promise<number | null> {
  const simulation = await createSimulation(deformingModel(scene, { picture: false }), {
    device,
    ...FILM,
    frames: 1,
    substeps: scene.substeps,
    // The warning is what is asked for here.
    onWarning: () => {},
  });
  const { dt } = await simulation.stableStep();
  simulation.dispose();
  return SUBSTEPS.find((substeps) => substeps * FILM.frameRate * dt >= 1) ?? null;
}

/**
 * Simulates a scene and returns particle positions in every frame and the mass; or reports that the run is unstable,
 * that is, gains energy or becomes non-finite.
 */
async function move(
  scene: DeformingScene,
  device: Device,
): Promise<{ frames: Float64Array[]; mass: number } | 'unstable'> {
  const simulation = await createSimulation(deformingModel(scene, { picture: false }), {
    device,
    ...FILM,
    substeps: scene.substeps,
    record: [Particle.position, Particle.velocity],
  });
  try {
    simulation.forward();
    const position = await simulation.readFrames(Particle.position);
    const velocity = await simulation.readFrames(Particle.velocity);
    const masses = await simulation.read(Particle.totalMass);
    const count = masses.length;
    const partOf = (all: Float64Array, frame: number) => all.subarray(3 * count * frame, 3 * count * (frame + 1));
    const frames = Array.from({ length: FILM.frames }, (_, frame) => partOf(position, frame));
    const isBounded = keepsEnergy(frames.map((at, frame) => energiesOf(masses, at, partOf(velocity, frame))));
    return isBounded ? { frames, mass: masses.reduce((sum, mass) => sum + mass, 0) } : 'unstable';
  } catch (error) {
    // A value that is not finite, or an element that turned inside out.
    if (error instanceof GradsimError) return 'unstable';
    throw error;
  } finally {
    simulation.dispose();
  }
}

interface Energies {
  readonly kinetic: number;
  readonly potential: number;
}

function energiesOf(masses: Float64Array, position: Float64Array, velocity: Float64Array): Energies {
  let [kinetic, potential] = [0, 0];
  masses.forEach((mass, k) => {
    const [vx, vy, vz] = velocity.subarray(3 * k, 3 * k + 3);
    kinetic += 0.5 * mass * (vx * vx + vy * vy + vz * vz);
    potential += 9.81 * mass * position[3 * k + 1];
  });
  return { kinetic, potential };
}

/** Returns whether kinetic plus potential energy never exceeds that of the undeformed start. */
function keepsEnergy(energies: readonly Energies[]): boolean {
  const available = energies[0].kinetic + energies[0].potential;
  const scale = available - Math.min(...energies.map(({ potential }) => potential));
  return energies.every(({ kinetic, potential }) => kinetic + potential <= available + ENERGY_TOLERANCE * scale);
}

async function photograph(model: Model, { substeps }: DeformingScene, device: Device): Promise<Pictures> {
  const simulation = await createSimulation(model, { device, ...FILM, substeps, record: [Pixel.rgba] });
  simulation.forward();
  const pictures = picturesOf(layoutOf(model), await simulation.readFrames(Pixel.rgba));
  simulation.dispose();
  return pictures;
}
