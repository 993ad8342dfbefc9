import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { seenBall } from '../../outlines/seen-ball.ts';
import { BOX } from '../../tuning/box.ts';
import type { Flight } from '../fit-flight.ts';
import { startOfFlight } from '../flight.ts';

/** Options of {@link flightOfBox}. */
export interface BoxFlightOptions {
  /** Size of the box along its axes, m. */
  readonly size: readonly number[];
  /**
   * Gravity, m/s^2, downwards. Default 9.81; null if unknown: then the value is used for which the box's size in the
   * picture matches its given size.
   */
  readonly gravity?: number | null;
  /** Height of the floor, m. Default 0. */
  readonly floor?: number;
}

/** Flight of a box before it can touch the floor. */
export interface BoxFlight extends Flight {
  /** First frame in which a corner could touch the floor. */
  readonly end: number;
}

const { area: AREA, fewest: FEWEST, gravities, earth, worse, rough, leaves } = BOX.flight;

/**
 * Flight of the middle of a box before any of its corners can touch the floor, from its track. The area of its outline
 * roughly determines its distance: the projected area of a convex body, averaged over all directions, is a quarter of
 * its surface (Cauchy). Impacts are not searched, unlike in `startOfFlight`: for a rotating box the middle of the
 * outline shifts relative to the projected centre.
 *
 * ```ts
 * const flight = flightOfBox(film.tracks[0], camera, { size: [0.1, 0.06, 0.04] });
 * ```
 * @throws when the box is within reach of the floor before 5 frames have passed.
 */
export function flightOfBox(track: Track, camera: FilmCamera, options: BoxFlightOptions): BoxFlight {
  refuseUnknownOptions<BoxFlightOptions>('flightOfBox', options, { size: 0, gravity: 0, floor: 0 });
  const { size, gravity = 9.81, floor = 0 } = options;
  if (size.length !== 3 || !size.every((side) => side > 0 && Number.isFinite(side)))
    throw new GradsimError('film/option-out-of-range', `flightOfBox: size is (${size.join(', ')}).`, {
      field: 'size',
      hint: 'Give three lengths above 0, in metres.',
    });
  const points = track.points
    .filter(({ blob }) => blob?.isWhole ?? true)
    .map((point) => ({ ...point, areaError: AREA }));
  const flightBy = (pull: number) => flightBefore({ ...track, points }, camera, { size, gravity: pull, floor });
  const found = gravity === null ? byArea(gravities.map(flightBy), points, camera, size) : flightBy(gravity);
  if (!found)
    throw new GradsimError(
      'film/track-too-short',
      `The track ${track.name} has fewer than ${FEWEST} points of a box that is more than ${(Math.hypot(...size) / 2).toFixed(3)} m above the floor, which a corner may reach.`,
      { hint: 'Begin earlier in the film, or look at sizes and camera.' },
    );
  return found;
}

/** Radius of a ball whose projected area equals the mean projected area of a box, m. */
const radiusOf = ([a, b, c]: readonly number[]): number => Math.sqrt((a * b + b * c + c * a) / (2 * Math.PI));

const knownOf = (size: readonly number[], gravity: number) => ({
  gravity: [0, -gravity, 0],
  contacts: false as const,
  radius: radiusOf(size),
});

function flightBefore(
  track: Track,
  camera: FilmCamera,
  { size, gravity, floor }: { readonly size: readonly number[]; readonly gravity: number; readonly floor: number },
): BoxFlight | undefined {
  const { points } = track;
  const known = knownOf(size, gravity);
  const reach = Math.hypot(...size) / 2;
  let flight: Flight | undefined;
  let bends: unknown;
  let count = FEWEST;
  for (; count <= points.length; count++) {
    let longer: Flight;
    try {
      longer = startOfFlight({ ...track, points: points.slice(0, count) }, camera, known);
    } catch (error) {
      if (!(error instanceof GradsimError && error.code === 'film/bends-upwards')) throw error;
      // After a flight it has bounced. Before, the middle of the outline of a box that turns may bend so for some frames.
      if (flight) break;
      bends = error;
      continue;
    }
    if (longer.at(points[count - 1].time).position[1] - floor < reach) break;
    // By its size and gravity it should still fly, but it does not.
    if (flight && longer.residual > leaves * flight.residual + rough) break;
    flight = longer;
  }
  if (!flight && bends) throw bends;
  return flight && { ...flight, end: points[count - 2].frame + 1 };
}

/**
 * Flight, of those for different gravities, whose predicted areas best match the track's: with more gravity the box is
 * farther away for the same path in the picture, and so smaller.
 */
function byArea(
  flights: readonly (BoxFlight | undefined)[],
  points: readonly TrackPoint[],
  camera: FilmCamera,
  size: readonly number[],
): BoxFlight | undefined {
  const possible = flights.flatMap((flight) => (flight ? [flight] : []));
  // All over the same frames: those of the shortest flight, which are flight by any gravity.
  const first = points.filter(({ frame }) => frame < Math.min(...possible.map(({ end }) => end)));
  const all = possible.map((flight) => ({
    ...startOfFlight({ name: 'box', points: first }, camera, knownOf(size, flight.gravity)),
    end: flight.end,
    whole: flight,
  }));
  const most = worse * Math.min(...all.map(({ residual }) => residual)) + rough;
  const off = (flight: BoxFlight): number => {
    const logs = first
      .filter(({ area }) => area !== undefined)
      .map(({ time, area }) => Math.log(seenBall(camera, flight.at(time).position, radiusOf(size)).area / area!));
    const mean = logs.reduce((sum, log) => sum + log / logs.length, 0);
    return Math.hypot(mean / AREA, Math.log(flight.gravity / earth.gravity) / earth.uncertainty);
  };
  const [best] = all
    .filter(({ residual }) => residual <= most)
    .map((flight) => ({ flight, off: off(flight) }))
    .sort((x, y) => x.off - y.off);
  return best?.flight.whole;
}
