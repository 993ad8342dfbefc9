import { addBeam, articulated, beamFrequency, beamHinge, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import { mainFrequency, outlineShifts, outlines, outlineTargets } from '@gradsim/film';
import { estimate } from '@gradsim/optim';
import { LookAtCamera } from '@gradsim/render';
import { lookOf, seenFrom } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber, knownVector } from './figures.ts';
import type { Sighting } from './tracks.ts';

const SUBSTEPS = 320;
const START = { dampingRatio: 0.03 };

/** Young's modulus and damping ratio of a cantilever, as a chain of rigid links. */
export async function estimateBeam({ known, sightings, device }: FilmProblem): Promise<Found> {
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
    outlines({ width: camera.width, height: camera.height, camera: LookAtCamera }),
  ]);
  scene.add(LookAtCamera, lookOf(camera));
  addBeam(scene, { ...size, youngsModulus: modulus, ...START });
  const hinge = (v: Readonly<Record<string, number>>) =>
    beamHinge(size, { youngsModulus: v.E, dampingRatio: v['damping ratio'] });
  const found = await estimate(
    {
      ...{ model: buildModel(scene), frames, frameRate, substeps: SUBSTEPS },
      parameters: [
        { name: 'E', transform: 'log', initial: modulus, unit: 'Pa' },
        { name: 'damping ratio', transform: 'log', initial: START.dampingRatio },
        ...outlineShifts().slice(1, 2),
      ],
      ties: [
        { field: Link.stiffness, of: (v) => hinge(v).stiffness },
        { field: Link.damping, of: (v) => hinge(v).damping },
      ],
      observations: [outlineTargets(sightings, { hasSizes: false, hasColumns: false })],
      options: { horizons: [0.3, 0.6, 1] },
    },
    { device },
  );
  return {
    estimate: found,
    figures: { youngsModulus: figureOf(found, 'E'), dampingRatio: figureOf(found, 'damping ratio') },
  };
}

/** The frequency of which the heights of the sightings have most, Hz. */
function frequencyOf(sightings: readonly (Sighting | null)[], frameRate: number): number {
  const seen = sightings.flatMap((sighting) => (sighting ? [sighting.y] : []));
  if (seen.length < sightings.length)
    throw new Error(`The beam is not seen in ${sightings.length - seen.length} frames.`);
  return mainFrequency(seen, frameRate);
}
