import { measuredCamera, outlineFitStage } from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { Stage } from '@gradsim/optim';
import type { measures } from './measures.ts';
import { tossedBox } from './model.ts';
import { findToss } from './search.ts';
import { TOSS } from './tuning.ts';

/** Model, unknowns and observations: the frames up to some time after the first impact. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured);
  const { size, gravity } = measured;
  const { start, outlines, check } = await findToss(film, {
    size,
    gravity,
    camera,
    ...(signal ? { signal } : {}),
    log,
  });
  const { model, ...tossed } = tossedBox(measured, film.size, camera)(start);
  return [
    outlineFitStage(film, model, {
      name: 'toss',
      substeps: Math.ceil(TOSS.substeps / film.frameRate),
      ...tossed,
      frames: outlines.length,
      outlines,
      fitsShape: true,
      // The start predicts all frames.
      options: { search: { method: 'levenberg-marquardt', horizons: [1], tolerance: TOSS.tolerance }, checks: [check] },
    }),
  ];
}
