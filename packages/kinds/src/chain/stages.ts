import { articulated, Gravity, gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  measuredCamera,
  measuredScale,
  type ObservedOutline,
  outlineFitStage,
  planeScale,
  projectedOutline,
  vectorUnknowns,
} from '@gradsim/film';
import { filmOf, gravityUnknown, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { leanCheck } from '../film/lean.ts';
import { centreLine, lineMiddle } from './centre-line.ts';
import type { measures } from './measures.ts';
import { brakedChain, chainDamping } from './motion.ts';
import { addRods, RODS, rodTies } from './rods.ts';
import { seenSwing } from './seen-swing.ts';
import { LEAN, periodOf, swingsOf, swingTies } from './swings.ts';

/** Standard deviation of the angle between the plane of the swing and the plane of the picture, rad: 17 degrees. */
const PLANE_DEVIATION = 0.3;
const TURN = 'turn of the plane';
const OTHERWISE = 'If it does not bend, that is the kind rod, by gradsim new rod. Is the length right?';
/**
 * Largest error of the middle of the centre line, as a part of the chain's length; and the least part of it that a film may show.
 * Origin: films of known truth, in which both ends come and go by 1 % of the length.
 */
const [MIDDLE_ERROR, LEAST_SHARE] = [0.015, 0.035];
/** Options shared by the unknowns of the upper end. */
const HOOK = { elements: [0], scale: 0.05 };

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  // Observations: the middle of its centre line.
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, { ...measured, eye: null, target: null }, ['tilt', 'roll']);
  const marked = film.marked({ ...measured, length: undefined, radius: null });
  const scale = measuredScale(film.size, camera, marked);
  const { pixelsPerMetre } = planeScale(film.size, marked);
  const { track, start: swing } = seenSwing(film, measured.track, { camera, scale, pixelsPerMetre });
  const { radius, pivot, part, middles } = swing;
  context.log(
    `the middle, track ${track.name}, is ${(1000 * swing.residual).toFixed(1)} mm off the nearest arc, usually`,
  );
  const { length, pull, ...swings } = swingsOf(measured, swing);

  // The model: rods that stand for the chain; a ball as large is drawn over the film.
  const scene = createScene([
    articulated(),
    brakedChain,
    centreLine(RODS.length, film.size.width, part),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: lineMiddle, element: 0, radius }),
  ]);
  addRods(scene, length, pivot);
  scene.add(Gravity, { acceleration: [0, -pull, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns.
  const [size, pixels] = [radius, length].map((own) => own * pixelsPerMetre);
  const outlines = Array<ObservedOutline | undefined>(film.count).fill(undefined);
  for (const { frame, x, y } of middles.points) outlines[frame] = { x, y, size, uncertainty: MIDDLE_ERROR * pixels };
  const lean = leanCheck(track, pixels / 2, LEAN, OTHERWISE);
  const fall = gravityUnknown(gravity, measured, pull, 'Does the length reach from where it hangs to its free end?');
  const axes = scale.position(vectorUnknowns('upper end', Link.anchor, pivot, HOOK.scale));
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'chain',
      substeps: 8,
      parameters: [
        ...[...fall.parameters, ...swings.parameters],
        { name: 'damping', field: chainDamping, transform: 'log', initial: 0.1, unit: '1/s' },
        ...axes.map((spec) => ({ ...spec, ...HOOK })),
        {
          name: TURN,
          initial: swing.planeRotation,
          scale: PLANE_DEVIATION,
          unit: 'rad',
          prior: { mean: swing.planeRotation, standardDeviation: PLANE_DEVIATION },
        },
        ...camera.parameters,
      ],
      given: [...swings.given, ...scale.lengths({}).given, ...camera.given],
      ties: [
        ...[...camera.ties, ...fall.ties, ...scale.swingTies(Link.anchor, { turn: TURN, x: 'upper end x' })],
        ...[...rodTies(TURN), ...swingTies],
      ],
      derived: {
        'period of the slowest swing': { unit: 's', compute: (v) => periodOf(v.length, measured.gravity ?? v.gravity) },
      },
      outlines,
      hasSizes: false,
      leastShare: LEAST_SHARE,
      options: { search: { horizons: [1] }, checks: [lean] },
    }),
  ];
}
