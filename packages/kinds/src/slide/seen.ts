import type { BoxOutlineOptions, BoxOutlines, Film } from '@gradsim/film';
import { cameraAt, fitBoxOutlines, sizeIn } from '@gradsim/film';
import type { KindContext } from '@gradsim/kinds/define';
import { type NearSlide, type SlideSpecs, slideNear } from './near.ts';
import { hiddenFoot } from './slid.ts';

/**
 * Number of frames, evenly spread, whose pixels are fitted at most, which takes most of the time: they tell the motion of a slide far
 * better than what is measured beside it.
 */
const MOST_FRAMES = 16;
/** Number of frames that are fitted first: a slide through their outlines is nearer than one through masks, which miss sides. */
const FIRST_FRAMES = 4;
/** Number of outlines that determine a slide. */
const ENOUGH = 3;

/**
 * Outlines of the box by all pixels around where it is: by its masks in a few frames, by the outlines found there in all. With the
 * values of the slide through these.
 */
export async function boxSeenIn(
  film: Film,
  specs: SlideSpecs,
  observed: BoxOutlineOptions['observed'] & {},
  { log, signal }: Pick<KindContext, 'log' | 'signal'>,
): Promise<Pick<NearSlide, 'v'> & { readonly seen: BoxOutlines }> {
  const { camera, inclineAt } = specs;
  const fit = async ({ v, states }: NearSlide, most: number): Promise<BoxOutlines> => {
    const every = Math.ceil(film.count / most);
    const some = states.map((state, frame) => (frame % every === 0 ? state : undefined));
    const { view } = cameraAt(camera, v);
    return fitBoxOutlines(film, view, { size: sizeIn(v), states: some, floor: inclineAt(v.angle), observed, signal });
  };
  const first = slideNear(film, observed, specs);
  const question = hiddenFoot(cameraAt(camera, first.v).view.position, inclineAt(first.v.angle));
  if (question) log(question);
  const { outlines } = await fit(first, FIRST_FRAMES);
  const near = outlines.filter(Boolean).length >= ENOUGH ? slideNear(film, outlines, specs, first.v) : first;
  const seen = await fit(near, MOST_FRAMES);
  log(`the shutter was open for ${seen.shutter.toFixed(2)} of a frame's time`);
  return { v: near.v, seen };
}
