import { addBeam, articulated, beamFrequency, beamTies, Gravity, gravity } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  fitBeamOutlines,
  givenBeam,
  mainFrequency,
  measuredCamera,
  outlineFitStage,
  projectedOutline,
} from '@gradsim/film';
import { filmOf, gravityTie, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import type { measures } from './measures.ts';
import { swingCheck } from './swing-check.ts';

/** Damping ratios of materials that visibly swing, dimensionless; and those between which the search starts. */
const DAMPING_RATIOS = [1e-4, 0.14] as const;
const FIRST_DAMPING_RATIOS = [0.003, 0.12] as const;
/** Substeps per period of the swing: enough for stability, see `addBeam`; the period's error is below 0.1 %. */
const SUBSTEPS_OF_A_SWING = 1500;
/** Relative uncertainty of displacements from pixels and lengths; also that of gravity, which displacements follow. */
const SAG_UNCERTAINTY = 0.01;
/** Quaternion of half a turn about the vertical, for a beam that extends to the left in the picture. */
const TO_THE_LEFT = [0, 1, 0, 0];

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  const { length, width, thickness, density, clamp } = measured;
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured);

  // Observations: the side to which the beam extends, its bend in each frame, and the frequency of the swing.
  const [track] = film.tracks;
  const right = camera.view.axes([1, 0, 0])[0] - camera.view.axes([0, 0, 0])[0];
  const isLeft = (track.points[0].x - camera.view.project(clamp)[0]) * right < 0;
  const direction = [isLeft ? -1 : 1, 0, 0];
  const seen = await fitBeamOutlines(film, camera.view, { length, thickness, width, clamp, direction, signal });
  const hertz = mainFrequency(seen.tips, seen.times);
  const size = { length, width, thickness, density };
  const sizes = givenBeam(size, measured);
  const youngsModulus = ((2 * Math.PI * hertz) / beamFrequency(size, 1)) ** 2;
  const dampingRatio = Math.min(Math.max(seen.dampingRatio, FIRST_DAMPING_RATIOS[0]), FIRST_DAMPING_RATIOS[1]);
  log(`it swings ${hertz.toFixed(2)} times a second; the shutter was open for ${seen.shutter.toFixed(2)} of a frame`);

  // The model: a chain of rigid links on springs.
  const scene = createScene([articulated(), projectedOutline({ ...film.size, camera: PinholeCamera })]);
  addBeam(scene, {
    ...size,
    clamp,
    youngsModulus,
    dampingRatio,
    ...(isLeft && { orientation: TO_THE_LEFT }),
  });
  scene.add(Gravity, { acceleration: [0, -measured.gravity, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns; gravity too, to the accuracy of lengths and pixels.
  const pull = { mean: measured.gravity, standardDeviation: SAG_UNCERTAINTY * measured.gravity };
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'beam',
      substeps: Math.ceil((SUBSTEPS_OF_A_SWING * hertz) / film.frameRate),
      parameters: [
        { name: "Young's modulus", transform: 'log', initial: youngsModulus, unit: 'Pa' },
        { name: 'damping ratio', transform: 'log', initial: dampingRatio, range: DAMPING_RATIOS },
        { name: 'gravity', initial: pull.mean, prior: pull, unit: 'm/s^2' },
      ],
      given: [...sizes.given, ...camera.given],
      ties: [
        ...camera.ties,
        gravityTie(gravity),
        ...beamTies(size, (v) => ({
          youngsModulus: v["Young's modulus"] * sizes.stiffer(v),
          dampingRatio: v['damping ratio'],
        })),
      ],
      outlines: seen.outlines,
      hasSizes: false,
      // It is horizontal: along it, pixels of its ends flicker.
      hasColumns: false,
      options: { search: { horizons: [1] }, checks: [seen.check, swingCheck(size, hertz)] },
    }),
  ];
}
