import { addBeam, articulated, beamFrequency, beamTies } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import type { ObservedOutline } from '@gradsim/film';
import {
  filmCamera,
  fitBeamOutlines,
  mainFrequency,
  outlineBiasParameters,
  outlineObservation,
  projectedOutline,
} from '@gradsim/film';
import { estimate } from '@gradsim/optim';
import { LookAtCamera } from '@gradsim/render';
import { lookOf, seenFrom } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber, knownVector } from './figures.ts';

/** Physics substeps per frame. */
const SUBSTEPS = 320;
const START = { dampingRatio: 0.03 };
/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/** Relative uncertainty of measured displacements, and hence of gravity, which is proportional to them. */
const SAG_DOUBT = 0.01;

/** Estimates Young's modulus and damping ratio of a cantilever, modelled as a chain of rigid links. */
export async function estimateBeam({ known, pictures, sightings, device }: FilmProblem): Promise<Found> {
  const { frames, frameRate } = known;
  const [length, width, thickness, density] = ['length', 'width', 'thickness', 'density'].map((name) =>
    knownNumber(known, name),
  );
  const size = { length, width, thickness, density };
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const camera = seenFrom(known.camera, axes, knownVector(known, 'clamp'));
  const modulus = ((2 * Math.PI * frequencyOf(sightings, frameRate)) / beamFrequency(size, 1)) ** 2;
  const scene = createScene([
    articulated(),
    projectedOutline({ width: camera.width, height: camera.height, camera: LookAtCamera }),
  ]);
  scene.add(LookAtCamera, lookOf(camera));
  const view = await filmCamera(LookAtCamera, lookOf(camera), camera);
  const film = { ...pictures, count: frames };
  const seen = await fitBeamOutlines(film, view, { length, width, thickness, clamp: [0, 0, 0] });
  addBeam(scene, { ...size, youngsModulus: modulus, ...START });
  const found = await estimate(
    {
      model: buildModel(scene),
      frames,
      frameRate,
      substeps: SUBSTEPS,
      parameters: [
        { name: 'E', transform: 'log', initial: modulus, unit: 'Pa' },
        { name: 'damping ratio', transform: 'log', initial: START.dampingRatio },
        {
          name: 'gravity',
          field: 'world.gravity',
          component: 1,
          initial: -GRAVITY,
          prior: { mean: -GRAVITY, standardDeviation: SAG_DOUBT * GRAVITY },
        },
        ...outlineBiasParameters().slice(1, 2),
      ],
      ties: beamTies(size, (v) => ({ youngsModulus: v.E, dampingRatio: v['damping ratio'] })),
      observations: [outlineObservation(seen.outlines, { hasSizes: false, hasColumns: false })],
      checks: [seen.check],
      options: { search: { horizons: [0.3, 0.6, 1] } },
    },
    { device },
  );
  return {
    estimate: found,
    figures: { youngsModulus: figureOf(found, 'E'), dampingRatio: figureOf(found, 'damping ratio') },
  };
}

/** Dominant frequency of the outlines' heights, Hz. */
function frequencyOf(sightings: readonly (ObservedOutline | null)[], frameRate: number): number {
  const seen = sightings.flatMap((sighting) => (sighting ? [sighting.y] : []));
  if (seen.length < sightings.length)
    throw new Error(`The beam is not seen in ${sightings.length - seen.length} frames.`);
  return mainFrequency(seen, frameRate);
}
