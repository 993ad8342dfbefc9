import { buildModel, createScene } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import { Body, BodyVertex, rigid } from '@gradsim/rigid';
import { between } from '../scenes/draws.ts';
import { OBJECTS } from '../scenes/objects.ts';
import { randomToss } from '../scenes/random-toss.ts';
import type { Toss } from '../scenes/tossed.ts';
import { TOSS_FIELD_OF_VIEW } from '../scenes/tossed.ts';
import type { Look, Pose, Shot } from './shot.ts';

/** Returns a toss by its number; the same as in `bench -- contact`, with the shapes in turn. */
export function tossNumber(number: number, size: number): Toss {
  const shapes = Object.keys(OBJECTS);
  return randomToss(randomNumbers(1000 + number), shapes[number % shapes.length], size);
}

/** Light and materials of the film of a toss, drawn from its number. */
export function lookNumber(number: number): Look {
  const random = randomNumbers(5000 + number);
  const height = between(random, 0.6, 1.1);
  const around = between(random, -Math.PI, Math.PI);
  const grey = between(random, 0.35, 0.6);
  return {
    sun: [Math.cos(height) * Math.sin(around), Math.sin(height), Math.cos(height) * Math.cos(around)],
    sunIntensity: between(random, 2.5, 4),
    skyIntensity: between(random, 0.8, 1.4),
    ground: [grey, grey * between(random, 0.9, 1), grey * between(random, 0.8, 0.95)],
    roughness: between(random, 0.35, 0.8),
    clearcoat: between(random, 0, 0.5),
    exposure: 1,
  };
}

/** Shot of a toss with given exposures and look. */
export function shotOf(toss: Toss, exposures: readonly (readonly Pose[])[], look: Shot['look']): Shot {
  const { colors, colorsOn, triangles } = toss.mesh;
  if (!colors || colorsOn !== 'triangles')
    throw new Error('The mesh of a toss needs a colour for every triangle to be photographed.');
  return {
    size: toss.size,
    exposures,
    mesh: { positions: bodyAxes(toss), triangles: Array.from(triangles), colors: Array.from(colors) },
    camera: {
      eye: eyeOf(toss.camera),
      target: toss.camera.target,
      fieldOfView: TOSS_FIELD_OF_VIEW,
    },
    look,
  };
}

/** Positions of the mesh's vertices relative to the centre of mass, which a pose refers to. */
function bodyAxes({ mesh }: Toss): number[] {
  const scene = createScene([rigid()]);
  scene.add(Body, { mesh, mass: 1 });
  return Array.from(buildModel(scene).field(BodyVertex.local).values!);
}

/** Position of the camera, m, from the values of an `OrbitCamera`. */
function eyeOf({ target, distance, elevation, azimuth }: Toss['camera']): number[] {
  const [x, y, z] = target;
  const level = distance * Math.cos(elevation);
  return [x + level * Math.sin(azimuth), y + distance * Math.sin(elevation), z + level * Math.cos(azimuth)];
}
