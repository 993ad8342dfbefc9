import { contactOf } from '@gradsim/contact';
import { createSimulation, type Device, type Simulation } from '@gradsim/core';
import { Body, BodyPush, BodyVertex } from '@gradsim/rigid';
import { FILM } from '../picture.ts';
import { type ShapeName, scaledMesh } from '../shapes/shapes.ts';
import type { RigidDraw } from './draw.ts';
import { PUSH_SECONDS, type RigidScene, rigidModel, sceneMass } from './scene.ts';

/** Position, orientation and velocities of a body in every frame. */
export interface Motion {
  /** Positions of the centre of mass, m, `[frame][x, y, z]`. */
  readonly position: Float64Array;
  /** Orientations as quaternions, `[frame][x, y, z, w]`. */
  readonly orientation: Float64Array;
  readonly velocity: Float64Array;
  readonly angularVelocity: Float64Array;
}

/** Numbers of substeps per frame that are tried; the smallest stable one is used. */
const SUBSTEPS = [32, 64, 128, 256, 512] as const;
/** Number of scenes simulated in one batch of worlds. */
const WORLDS = 8;
const RECORDED = [Body.position, Body.orientation, Body.velocity, Body.angularVelocity] as const;

/** Vertices of a scene's mesh relative to its centre of mass, in body axes, m. */
export function localVertices(scene: RigidDraw): Float64Array {
  const { centerOfMass } = sceneMass(scene);
  return scaledMesh(scene.shape, scene.scale).positions.map((x, k) => x - centerOfMass[k % 3]);
}

/** Simulates scenes of one shape, many at once; the compiled simulation is kept until {@link dispose}. */
export class RigidMotions {
  readonly #device: Device;
  readonly #simulations = new Map<number, Promise<Simulation>>();
  #grip: Promise<number> | undefined;
  readonly #example: RigidScene;
  readonly shape: ShapeName;

  /** @param example any scene of the shape. */
  constructor(device: Device, example: RigidDraw) {
    this.#device = device;
    this.shape = example.shape;
    this.#example = { ...example, scale: [1, 1, 1], substeps: SUBSTEPS[0] };
  }

  /**
   * Returns the smallest number of substeps per frame with stable contact, extrapolated from `Simulation.stableStep` of
   * the unscaled shape; null if it would exceed 512.
   */
  async substepsOf(scene: RigidDraw): Promise<number | null> {
    const { ke, kd, kf } = scene.material;
    const perMass = (await this.#gripOfShape()) / sceneMass(scene).mass;
    // Damping and friction act with up to 3/2 of their strength in the first substep of a contact.
    const damping = 1.5 * Math.max(kd, kf) * perMass;
    const rate = (damping + Math.sqrt(damping ** 2 + 4 * ke * perMass)) / 4;
    return SUBSTEPS.find((substeps) => substeps * FILM.frameRate >= rate) ?? null;
  }

  /** Simulates scenes, and returns their motions; null for a run that becomes non-finite. */
  async run(scenes: readonly RigidScene[]): Promise<(Motion | null)[]> {
    const motions: (Motion | null)[] = scenes.map(() => null);
    for (const substeps of SUBSTEPS) {
      const among = scenes.flatMap((scene, k) => (scene.substeps === substeps ? [k] : []));
      for (let first = 0; first < among.length; first += WORLDS) {
        const some = among.slice(first, first + WORLDS);
        const found = await this.#runSome(some.map((k) => scenes[k]));
        some.forEach((k, world) => {
          motions[k] = found[world];
        });
      }
    }
    return motions;
  }

  async dispose(): Promise<void> {
    for (const simulation of this.#simulations.values()) (await simulation).dispose();
    this.#simulations.clear();
  }

  /** Simulates at most {@link WORLDS} scenes with equal numbers of substeps. */
  async #runSome(scenes: readonly RigidScene[]): Promise<(Motion | null)[]> {
    const simulation = await this.#simulation(scenes[0].substeps);
    // Worlds without a scene of their own repeat the last one.
    for (let world = 0; world < WORLDS; world++)
      setScene(simulation, scenes[Math.min(world, scenes.length - 1)], world);
    try {
      simulation.forward();
      const [position, orientation, velocity, angularVelocity] = RECORDED.map((field) =>
        simulation.readFramesSync(field),
      );
      return scenes.map((_, world) => ({
        position: ofWorld(position, world, 3),
        orientation: ofWorld(orientation, world, 4),
        velocity: ofWorld(velocity, world, 3),
        angularVelocity: ofWorld(angularVelocity, world, 3),
      }));
    } catch (error) {
      // Reading refuses a run in which any world is not finite.
      if (scenes.length === 1) return [null];
      if (!(error instanceof Error)) throw error;
      const alone: (Motion | null)[] = [];
      for (const scene of scenes) alone.push(...(await this.#runSome([scene])));
      return alone;
    }
  }

  #simulation(substeps: number): Promise<Simulation> {
    const known = this.#simulations.get(substeps);
    if (known) return known;
    const made = createSimulation(rigidModel(this.#example, { picture: false }), {
      device: this.#device,
      ...FILM,
      substeps,
      worlds: WORLDS,
      record: RECORDED,
      // The warning is about the example, which is never run.
      onWarning: () => {},
    });
    this.#simulations.set(substeps, made);
    return made;
  }

  #gripOfShape(): Promise<number> {
    this.#grip ??= this.#simulation(SUBSTEPS[0]).then(async (simulation) => (await simulation.read('bodies.grip'))[0]);
    return this.#grip;
  }
}

/** Sets all fields of a world that the motion of a scene depends on. */
function setScene(simulation: Simulation, scene: RigidScene, world: number): void {
  const { volume, inertia, mass } = sceneMass(scene);
  const { ke, kd, kf, mu } = contactOf(Body);
  const set = (field: Parameters<Simulation['set']>[0], values: ArrayLike<number>) =>
    simulation.set(field, values, world);
  set(BodyVertex.local, localVertices(scene));
  set(Body.volume, [volume]);
  set(
    Body.inertiaPerMass,
    Array.from(inertia, (each) => each / mass),
  );
  set(Body.density, [scene.density]);
  set(Body.position, scene.position);
  set(Body.orientation, scene.orientation);
  set(Body.velocity, scene.velocity);
  set(Body.angularVelocity, scene.angularVelocity);
  set(ke, [scene.material.ke]);
  set(kd, [scene.material.kd]);
  set(kf, [scene.material.kf]);
  set(mu, [scene.material.mu]);
  set(
    BodyPush.force,
    scene.impulse.map((each) => each / PUSH_SECONDS),
  );
  set(BodyPush.point, scene.impulsePoint);
}

/** Extracts the values of one world from `[frame][world][component]`. */
function ofWorld(all: Float64Array, world: number, components: number): Float64Array {
  const frames = new Float64Array(FILM.frames * components);
  for (let frame = 0; frame < FILM.frames; frame++) {
    const from = (frame * WORLDS + world) * components;
    frames.set(all.subarray(from, from + components), frame * components);
  }
  return frames;
}
