import type { Device, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { FreeFlight } from '@gradsim/recordings/poses';
import type { Material } from './cube.ts';
import { cornersAt, cubeModel, framesOf, initialMaterial, SUBSTEPS } from './cube.ts';
import type { PoseErrors } from './errors.ts';
import { poseErrors } from './errors.ts';
import type { Toss } from './toss.ts';

/** A toss with the free flight before its first contact. */
export interface TossWithFlight {
  readonly toss: Toss;
  readonly flight: FreeFlight;
}

/** A predicted toss. */
export interface PredictedToss extends PoseErrors {
  /** Predicted poses, from the frame of the recording on at which its flight begins. */
  readonly motion: () => Toss;
}

/** Predicts tosses from their free flights, for several materials at once. */
export interface TossPredictor {
  /** Returns the predictions, one list per material, with one entry per toss. */
  of(materials: readonly Material[]): Promise<PredictedToss[][]>;
  dispose(): void;
}

/**
 * Creates a predictor of tosses.
 *
 * @param most maximum number of materials at once.
 */
export async function tossPredictorOf(
  device: Device,
  tosses: readonly TossWithFlight[],
  most: number,
): Promise<TossPredictor> {
  const simulations: Simulation[] = [];
  for (const { toss, flight } of tosses)
    simulations.push(
      await createSimulation(cubeModel(flight, initialMaterial()), {
        device,
        frames: framesOf(toss, flight),
        frameRate: toss.frameRate,
        substeps: SUBSTEPS,
        worlds: most,
        record: ['bodies.position', 'bodies.orientation'],
      }),
    );
  return {
    of: async (materials) => {
      const errors = materials.map((): PredictedToss[] => []);
      for (const [k, simulation] of simulations.entries()) {
        materials.forEach((material, world) => {
          for (const name of ['mu', 'restitution', 'duration', 'radius'] as const)
            simulation.set(`spheres.${name}`, Array(8).fill(material[name]), world);
          simulation.set('spheres.position', cornersAt(material.inset).flat(), world);
        });
        simulation.forward();
        const position = await simulation.readFrames('bodies.position');
        const orientation = await simulation.readFrames('bodies.orientation');
        const { toss, flight } = tosses[k];
        materials.forEach((_, world) => {
          const [own, turned] = [ofWorld(position, 3, world, most), ofWorld(orientation, 4, world, most)];
          errors[world].push({
            ...poseErrors(toss, flight.frame, own, turned),
            motion: () => posesOf(toss, own, turned),
          });
        });
      }
      return errors;
    },
    dispose: () => {
      for (const simulation of simulations) simulation.dispose();
    },
  };
}

const posesOf = ({ name, frameRate }: Toss, positions: Float64Array, orientations: Float64Array): Toss => ({
  name,
  frameRate,
  poses: Array.from({ length: positions.length / 3 }, (_, f) => ({
    position: [...positions.subarray(3 * f, 3 * f + 3)],
    orientation: [...orientations.subarray(4 * f, 4 * f + 4)],
  })),
});

/** Extracts the values of one world from `[frame][world][component]`. */
function ofWorld(values: Float64Array, components: number, world: number, worlds: number): Float64Array {
  const own = new Float64Array(values.length / worlds);
  for (let at = 0; at < own.length; at += components) {
    const from = at * worlds + world * components;
    for (let k = 0; k < components; k++) own[at + k] = values[from + k];
  }
  return own;
}
