import type { Device, Entity, Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { outlineShifts, outlineTargets } from '@gradsim/film';
import { estimate } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { airDrag } from './air.ts';
import { seenFrom } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber, knownVector } from './figures.ts';
import type { MovingSurface } from './outline.ts';
import { surfaceOutline } from './outline.ts';
import type { Sighting } from './tracks.ts';

const SUBSTEPS = 600;
const BAYS = 12;
/** How much stiffer than the flanges the diagonals are, which carry shear alone: a slender beam hardly shears. */
const STIFFER = 3;
const START = { dampingRatio: 0.03 };
/** 1.8751 squared, of the first mode of a cantilever. */
const FIRST_MODE = 3.516015;

/** What is known of a beam. SI units. */
export interface BeamSize {
  readonly length: number;
  readonly width: number;
  readonly thickness: number;
  readonly density: number;
}

/**
 * Young's modulus and damping ratio of a cantilever, as a truss: flanges at its upper and lower face, posts and diagonals
 * between them. Tetrahedra of so few would be far too stiff in bending, a truss is not: its flanges, of stiffness k and length
 * l, at a distance h, give E I = k l h^2 / 2. Damping is that of the first mode, by drag: others are hardly seen.
 */
export async function estimateBeam({ known, sightings, device }: FilmProblem): Promise<Found> {
  const { frames, frameRate } = known;
  const [length, width, thickness, density] = ['length', 'width', 'thickness', 'density'].map((name) =>
    knownNumber(known, name),
  );
  const size: BeamSize = { length, width, thickness, density };
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const camera = seenFrom(known.camera, axes, knownVector(known, 'clamp'));
  const modulus = modulusOf(2 * Math.PI * frequencyOf(sightings, frameRate), size);
  const stiffness = modulus * stiffnessPerPascal(size);
  const damping = START.dampingRatio * angularFrequencyOf(modulus, size);
  const scene = createScene([
    ...[particles(), springs(), airDrag(damping)],
    surfaceOutline(camera, surfaceOf(width)),
  ]);
  const flanges = addTruss(scene, size, stiffness);
  const found = await estimate(
    {
      ...{ model: buildModel(scene), frames, frameRate, substeps: SUBSTEPS },
      parameters: [
        {
          ...{ name: 'stiffness', field: 'springs.stiffness', elements: flanges, transform: 'log' },
          initial: stiffness,
        },
        { name: 'damping', field: 'world.air', transform: 'log', initial: damping },
        ...outlineShifts().slice(0, 2),
      ],
      observations: [outlineTargets(sightings, false)],
      options: { horizons: [0.3, 0.6, 1] },
    },
    { device },
  );
  const softness = await softnessOf(size, modulus, device);
  const modulusBy = (k: number): number => (softness * k) / stiffnessPerPascal(size);
  return {
    estimate: found,
    figures: {
      youngsModulus: figureOf(found, 'stiffness', modulusBy),
      dampingRatio: figureOf(
        found,
        ['stiffness', 'damping'],
        (k, c) => c / angularFrequencyOf(modulusBy(k), size),
      ),
    },
  };
}

/** E = k l h^2 / (2 I), with I = b h^3 / 12. */
export const stiffnessPerPascal = ({ length, width, thickness }: BeamSize): number =>
  (width * thickness * BAYS) / (6 * length);

/** rad/s: 1.8751^2 sqrt(E I / (rho A L^4)). */
export const angularFrequencyOf = (modulus: number, { length, thickness, density }: BeamSize): number =>
  (FIRST_MODE * Math.sqrt((modulus * thickness ** 2) / 12 / density)) / length ** 2;

const modulusOf = (angularFrequency: number, { length, thickness, density }: BeamSize): number =>
  (12 * density * (angularFrequency * length ** 2) ** 2) / (FIRST_MODE * thickness) ** 2;

/**
 * Adds the truss from the origin along x: nodes 2 k and 2 k + 1 are the upper and lower one of post k.
 *
 * @returns the numbers of the flanges among the springs.
 */
export function addTruss(
  scene: Scene,
  { length, width, thickness, density }: BeamSize,
  stiffness: number,
): number[] {
  const bay = length / BAYS;
  const mass = density * width * thickness * bay;
  const nodes: Entity[] = [];
  for (let k = 0; k <= BAYS; k++) {
    for (const side of [1, -1]) {
      const position = [k * bay, (side * thickness) / 2, 0];
      // Half of the beam between two posts lies at each, half of that above.
      const share = k === BAYS ? 1 / 4 : 1 / 2;
      nodes.push(scene.add(Particle, { position, mass: share * mass, fixed: k === 0 ? 1 : 0 }));
    }
  }
  const flanges: number[] = [];
  let count = 0;
  const join = (a: number, b: number, restLength: number, times: number): number => {
    // As stiff as a bar of its length, and so many times the flanges' section.
    const own = (times * stiffness * bay) / restLength;
    scene.add(Spring, { ends: [nodes[a], nodes[b]], restLength, stiffness: own });
    return count++;
  };
  const diagonal = Math.hypot(bay, thickness);
  for (let k = 0; k < BAYS; k++) {
    for (const side of [0, 1]) flanges.push(join(2 * k + side, 2 * k + 2 + side, bay, 1));
    // Up and down in turn.
    const up = k % 2;
    join(2 * k + up, 2 * k + 3 - up, diagonal, STIFFER);
    join(2 * k + 2, 2 * k + 3, thickness, STIFFER);
  }
  return flanges;
}

/** The faces of the beam: above, below, before, behind and at its end. */
function surfaceOf(width: number): MovingSurface {
  const corners: number[] = [];
  const across: number[] = [];
  // A node and a side, -1 or 1 along z.
  type Corner = readonly [node: number, side: number];
  const quad = (a: Corner, b: Corner, c: Corner, d: Corner): void => {
    for (const [node, side] of [a, b, c, a, c, d]) {
      corners.push(node);
      across.push((side * width) / 2);
    }
  };
  for (let k = 0; k < BAYS; k++) {
    const [above, below, nextAbove, nextBelow] = [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3];
    quad([above, 1], [nextAbove, 1], [nextAbove, -1], [above, -1]);
    quad([below, -1], [nextBelow, -1], [nextBelow, 1], [below, 1]);
    quad([below, 1], [nextBelow, 1], [nextAbove, 1], [above, 1]);
    quad([above, -1], [nextAbove, -1], [nextBelow, -1], [below, -1]);
  }
  const [above, below] = [2 * BAYS, 2 * BAYS + 1];
  quad([below, 1], [below, -1], [above, -1], [above, 1]);
  return { domain: 'particles', corners, across, requires: '@gradsim/particles' };
}

/** Pictures a second and seconds of the truss by itself. */
const SAMPLING = 600;
const LISTENED = 2;

/**
 * The square of the truss's first frequency over that of the slender beam that it stands for: a few bays, diagonals that give
 * and flanges that turn make it slower. It is measured of the truss itself, by letting it swing without drag.
 */
export async function softnessOf(size: BeamSize, modulus: number, device: Device): Promise<number> {
  const scene = createScene([particles(), springs()]);
  addTruss(scene, size, modulus * stiffnessPerPascal(size));
  const simulation = await createSimulation(buildModel(scene), {
    ...{ device, frames: SAMPLING * LISTENED, frameRate: SAMPLING },
    ...{ substeps: Math.ceil((SUBSTEPS * 30) / SAMPLING), record: ['particles.position'] },
  });
  simulation.forward();
  const positions = await simulation.readFrames('particles.position');
  simulation.dispose();
  const [nodes, last] = [2 * (BAYS + 1), 2 * BAYS + 1];
  const heights = Array.from(
    { length: SAMPLING * LISTENED },
    (_, k) => positions[3 * (k * nodes + last) + 1],
  );
  const frequency = mainFrequency(heights, SAMPLING);
  return ((2 * Math.PI * frequency) / angularFrequencyOf(modulus, size)) ** 2;
}

/** The frequency of which the heights of the sightings have most, Hz. */
function frequencyOf(sightings: readonly (Sighting | null)[], frameRate: number): number {
  const seen = sightings.flatMap((sighting) => (sighting ? [sighting.y] : []));
  if (seen.length < sightings.length)
    throw new Error(`The beam is not seen in ${sightings.length - seen.length} frames.`);
  return mainFrequency(seen, frameRate);
}

/** Frequencies that are looked for, Hz: from one swing in a second to nearly every second picture, at most those of beams. */
const SLOWEST = 1;
const FASTEST = 40;
const HIGHEST_SHARE = 0.45;
const FREQUENCIES = 400;
const REFINEMENTS = 3;

/** The frequency of which values at even times have most, Hz, under a window of Hann's. */
export function mainFrequency(values: readonly number[], rate: number): number {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const windowed = values.map(
    (value, k) => (value - mean) * Math.sin((Math.PI * (k + 0.5)) / values.length) ** 2,
  );
  const power = (frequency: number): number => {
    let [real, imaginary] = [0, 0];
    windowed.forEach((value, k) => {
      real += value * Math.cos((2 * Math.PI * frequency * k) / rate);
      imaginary += value * Math.sin((2 * Math.PI * frequency * k) / rate);
    });
    return real ** 2 + imaginary ** 2;
  };
  let [low, high] = [SLOWEST, Math.min(FASTEST, HIGHEST_SHARE * rate)];
  for (let round = 0; round < REFINEMENTS; round++) {
    const step = (high - low) / FREQUENCIES;
    const tried = Array.from({ length: FREQUENCIES + 1 }, (_, k) => low + k * step);
    const powers = tried.map(power);
    const best = tried[powers.indexOf(Math.max(...powers))];
    [low, high] = [best - step, best + step];
  }
  return (low + high) / 2;
}
