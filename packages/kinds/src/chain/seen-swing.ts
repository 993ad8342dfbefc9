import {
  type CentreLines,
  centreLinesOf,
  type Film,
  type measuredCamera,
  type measuredScale,
  type Swing,
  sizeOf,
  startIn,
  startOfSwing,
} from '@gradsim/film';
import type { Track } from '@gradsim/video';

/** Camera and scale of a film in which a chain swings. */
interface View {
  readonly camera: Pick<Awaited<ReturnType<typeof measuredCamera>>, 'view'>;
  readonly scale: Pick<ReturnType<typeof measuredScale>, 'radius'>;
  readonly pixelsPerMetre: number;
}

/**
 * Swing of the middle of a chain's centre line, about on an arc half of the visible length below the upper end. That length is
 * not left to the arc: it bends by less than a free end that fades lifts the middle of the mask.
 */
export function seenSwing(
  film: Film,
  number: number | null,
  { camera, scale: { radius }, pixelsPerMetre }: View,
): { readonly track: Track; readonly start: Swing & CentreLines } {
  return startIn(film.tracks, number, (track) => {
    const lines = centreLinesOf(film, track);
    const swing = startOfSwing(lines.middles, camera.view, {
      radius: sizeOf(radius, track),
      length: lines.part / pixelsPerMetre / 2,
    });
    return { ...swing, ...lines };
  });
}
