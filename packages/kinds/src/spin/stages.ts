import { buildModel, createScene } from '@gradsim/core';
import {
  discAxes,
  givenLength,
  measuredCamera,
  outlineFitStage,
  projectedOutline,
  rayOutwards,
  spinIn,
} from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { NamedValues, Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { outlinesOfUsualSize } from '../film/usual-sizes.ts';
import { decelerationUnknowns, RATE } from './braked.ts';
import type { measures } from './measures.ts';
import { Spinner, spinning } from './motion.ts';

const [RIGHT, UP, AROUND] = ['middle, right', 'middle, up', 'radius over distance'];
const [ABOUT_X, ABOUT_Y] = ['tilt about x', 'tilt about y'];
const ANGLE = 'angle';
/** Options shared by the tilts of the disc from the plane of the picture, which are some 6 degrees. */
const LEVEL = { scale: 0.1, unit: 'rad', prior: { mean: 0, standardDeviation: 0.1 } };

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  // Observations: the middle of the mark on the disc.
  const film = await filmOf(measured, context);
  const lens = await measuredCamera(film, { ...measured, eye: null, target: null });
  // All is in the camera's own axes, wherever its file says that it stands.
  const camera = { ...lens, values: { ...lens.values, rotation: [1, 0, 0, 0], translation: [0, 0, 0] } };
  const { track, start } = spinIn(film.tracks, measured.track, camera.view);
  const { centre, around, tilts, angle, rate } = start;
  context.log(
    `the mark, track ${track.name}, turns ${Math.abs(rate / 2 / Math.PI).toFixed(2)} times a second, ${(start.slowing / 2 / Math.PI).toFixed(3)} less each second`,
  );

  // The model: a point on a circle, at the distance from the camera that its radius tells.
  const { initial, ...friction } = decelerationUnknowns(measured, start);
  const scene = createScene([
    spinning(),
    projectedOutline({
      ...film.size,
      camera: PinholeCamera,
      centre: Spinner.position,
      element: 0,
      radius: (start.size * measured.radius) / around,
    }),
  ]);
  const times = (far: number, axis: readonly number[]): number[] => axis.map((c) => far * c);
  const [right, up] = discAxes(tilts).map((axis) => times(measured.radius, axis));
  const place = times(measured.radius / around, [...centre, -1]);
  scene.add(
    Spinner,
    { middle: place, right, up, turned: [Math.cos(angle), Math.sin(angle)], rate, ...initial },
    'the mark',
  );
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns.
  const axesAt = (v: NamedValues) => discAxes([v[ABOUT_X], v[ABOUT_Y]]).map((axis) => times(v.radius, axis));
  const middleAt = (v: NamedValues): number[] => {
    const ray = rayOutwards(camera, v);
    return times(v.radius / ray([v[AROUND], 0])[0], ray([v[RIGHT], v[UP]]));
  };
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'spin',
      substeps: 4,
      parameters: [
        ...friction.parameters,
        { name: RATE, field: Spinner.rate, initial: rate, scale: 0.1, unit: 'rad/s' },
        { name: ANGLE, initial: angle, scale: 0.05, unit: 'rad' },
        { name: RIGHT, initial: centre[0], scale: 0.02 },
        { name: UP, initial: centre[1], scale: 0.02 },
        { name: AROUND, initial: around, scale: 0.02, transform: 'log' },
        { name: ABOUT_X, initial: tilts[0], ...LEVEL },
        { name: ABOUT_Y, initial: tilts[1], ...LEVEL },
      ],
      given: [givenLength('radius', measured.radius, measured), ...camera.given],
      ties: [
        ...[...camera.ties, ...friction.ties],
        { field: Spinner.middle, compute: middleAt },
        { field: Spinner.right, compute: (v) => axesAt(v)[0] },
        { field: Spinner.up, compute: (v) => axesAt(v)[1] },
        { field: Spinner.turned, compute: (v) => [Math.cos(v[ANGLE]), Math.sin(v[ANGLE])] },
      ],
      derived: friction.derived,
      outlines: outlinesOfUsualSize(film, track),
      hasSizes: false,
      options: { search: { horizons: [1] } },
    }),
  ];
}
