import { buildModel, createScene } from '@gradsim/core';
import {
  fallIn,
  measuredCamera,
  measuredScale,
  observedOutlines,
  outlineFitStage,
  placeUnknowns,
  projectedOutline,
} from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import { ballInertia } from '@gradsim/mesh';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { measures } from './measures.ts';

const TERMINAL = 'terminal speed';
/** Range of things that fall in a room, from a feather to a stone: two standard deviations to either side. Judged. */
const USUAL = { mean: 3, standardDeviation: 1.2, isLogNormal: true };

/**
 * Part of the stated error of heights that a film may show: light from above and blur move a mask's middle by up to a pixel, alike in
 * neighbouring frames, which looks like slower speeding up. Origin: eight films of known truth, of which all but one were too fast.
 */
const LEAST_SHARE = 0.5;

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const film = await filmOf(measured, context);
  const unplaced = { ...measured, eye: null, target: null };
  const camera = await measuredCamera(film, unplaced, ['tilt']);
  const scale = measuredScale(film.size, camera, film.marked({ ...measured, radius: null }));

  // Observations: heights of the middle of its mask; a ball as large is drawn over the film.
  const { gravity } = measured;
  const { track, start } = fallIn(film.tracks, measured.track, camera.view, scale.radius, gravity);
  const { position, rate, terminal, radius } = start;
  context.log(`from the track alone: terminal speed ${terminal.toFixed(3)} m/s`);

  // The model: a body of mass 1, since neither its fall nor its drag, an acceleration, depends on mass.
  const scene = createScene([
    rigid(),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: Body.position, radius }),
  ]);
  const drag = gravity / terminal ** 2;
  const falling = { mass: 1, inertia: ballInertia(radius), position, velocity: [0, rate, 0], drag };
  scene.add(Body, falling, 'the filter');
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns. It sways to the sides, of which its heights know nothing: columns are not compared.
  const lengths = scale.lengths({});
  const place = placeUnknowns(camera, scale, { name: 'place', field: Body.position, position, isUpright: true });
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'filter',
      substeps: 16,
      parameters: [
        { name: TERMINAL, initial: terminal, transform: 'log', unit: 'm/s', prior: USUAL },
        { name: 'speed', field: Body.velocity, component: 1, initial: rate, scale: 0.1, unit: 'm/s' },
        ...[...place.parameters, ...camera.parameters],
      ],
      given: [...lengths.given, ...camera.given],
      ties: [...camera.ties, ...place.ties, { field: Body.drag, compute: (v) => gravity / v[TERMINAL] ** 2 }],
      derived: { drag: { unit: '1/m', compute: (v) => gravity / v[TERMINAL] ** 2 } },
      outlines: observedOutlines(film, track),
      hasSizes: false,
      hasColumns: false,
      leastShare: LEAST_SHARE,
      options: { search: { horizons: [1] } },
    }),
  ];
}
