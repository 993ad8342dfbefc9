import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import type { Problem } from '@gradsim/optim';
import type { FreeFlight, Poses } from '@gradsim/recordings/poses';
import { observedPoses, startUnknowns } from '@gradsim/recordings/poses';
import { Body, Gravity, rigid } from '@gradsim/rigid';

/** Edge length of the cube, m, as measured by the authors of the recordings. */
export const WIDTH = 2 * 0.0524;
/** Mass of the cube, kg, as measured by the authors of the recordings. */
const MASS = 0.37;
/** Moment of inertia of the cube about each axis, kg m^2, as measured by the authors of the recordings. */
const INERTIA = 8.1e-4;
export const GRAVITY = [0, 0, -9.81];

/**
 * Contact material common to all tosses: initial values and bounds. The cube's corners are spheres of unknown radius.
 */
export const MATERIAL = {
  mu: { initial: 0.2, range: [0.02, 1], unit: '' },
  restitution: { initial: 0.3, range: [0.02, 0.95], unit: '' },
  duration: { initial: 0.015, range: [0.006, 0.05], unit: 's' },
  radius: { initial: 0.005, range: [0.0005, 0.02], unit: 'm' },
  inset: { initial: 0.005, range: [0, 0.02], unit: 'm' },
} as const;
export type Material = Readonly<Record<keyof typeof MATERIAL, number>>;
/** Signs of the coordinates of the cube's eight corners. */
export const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
/** Centres of the corner spheres in body axes, m, each moved inwards by `inset` along every axis. */
export const cornersAt = (inset: number): number[][] =>
  CORNERS.map((corner) => corner.map((sign) => sign * (WIDTH / 2 - inset)));

/** Number of physics substeps per frame. */
export const SUBSTEPS = 24;
/**
 * Standard deviations of tracked poses from a rigid cube with sharp edges: 2 mm in position, m, and the angle that
 * moves a corner by about 2 mm, rad.
 */
const NOISE = { position: 0.002, orientation: 0.03 } as const;

export function cubeModel(
  start: Pick<FreeFlight, 'position' | 'orientation' | 'velocity' | 'angularVelocity'>,
  material: Material,
): Model {
  const scene = createScene([rigid(), contact()]);
  const { position, orientation, velocity, angularVelocity } = start;
  const cube = scene.add(Body, {
    mesh: box({ size: [WIDTH, WIDTH, WIDTH] }),
    mass: MASS,
    position,
    orientation,
    velocity,
    angularVelocity,
    inertia: [INERTIA, 0, 0, 0, INERTIA, 0, 0, 0, INERTIA],
  });
  const { inset, ...sphere } = material;
  for (const position of cornersAt(inset)) scene.add(ContactSphere, { body: cube, position, ...sphere });
  scene.add(HalfSpace, { normal: [0, 0, 1] });
  scene.add(Gravity, { acceleration: GRAVITY });
  return buildModel(scene);
}

export const initialMaterial = (): Material => {
  const { mu, restitution, duration, radius, inset } = MATERIAL;
  return {
    mu: mu.initial,
    restitution: restitution.initial,
    duration: duration.initial,
    radius: radius.initial,
    inset: inset.initial,
  };
};

/**
 * Unknowns common to all tosses. The change of `inset` from the model's value is one mode that moves all corner
 * spheres.
 */
const materialUnknowns = (at: Material): Pick<Problem, 'parameters' | 'arrays'> => ({
  parameters: (['mu', 'restitution', 'duration', 'radius'] as const).map((name) => ({
    name,
    field: `spheres.${name}`,
    transform: 'log',
    initial: at[name],
    range: MATERIAL[name].range,
    scale: 0.3,
    unit: MATERIAL[name].unit,
  })),
  arrays: [
    {
      name: 'inset',
      field: 'spheres.position',
      initial: 0,
      scale: 0.001,
      unit: 'm',
      range: [MATERIAL.inset.range[0] - at.inset, MATERIAL.inset.range[1] - at.inset],
      modes: [CORNERS.flat().map((sign) => -sign)],
    },
  ],
});

/** Number of frames of a toss from the start of its free flight. */
export const framesOf = ({ poses }: Poses, { frame }: FreeFlight): number => poses.length - frame;

/**
 * Estimation problem of one toss: its initial state and its material are unknown.
 *
 * @param isHeld true to keep the initial state within the uncertainty of the fit to the free flight. Without it the
 * toss is fitted more closely, but errors of the initial state distort the material: set it when the material predicts
 * other tosses.
 */
export function tossProblem(
  toss: Poses,
  flight: FreeFlight,
  { isHeld = false, material = initialMaterial() }: { readonly isHeld?: boolean; readonly material?: Material } = {},
): Problem {
  const unknown = materialUnknowns(material);
  const start = startUnknowns(flight);
  return {
    model: cubeModel(start.state, material),
    frames: framesOf(toss, flight),
    frameRate: toss.frameRate,
    substeps: SUBSTEPS,
    parameters: [...start.parameters, ...(unknown.parameters ?? [])],
    arrays: [...start.arrays, ...(unknown.arrays ?? [])],
    observations: observedPoses(toss, { ...NOISE, first: flight.frame, ...(isHeld && { flight }) }),
    options: { search: { method: 'levenberg-marquardt', horizons: 'growing' } },
  };
}
