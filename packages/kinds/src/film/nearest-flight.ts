import type { Flight } from '@gradsim/film';

/** Gravities from which an unknown one starts, m/s^2, the usual one first: of wrong lengths they are far from it. */
const GRAVITIES = [9.81, 2.5, 3.7, 5, 6, 7, 8, 9, 10.6, 11.5, 12.5, 14, 16, 20, 25] as const;
/** Drags from which a search starts besides none, 1/m: of balls as light as foam. */
const DRAGS = [0.05, 0.2] as const;

/**
 * The flight that fits a track best, of those by several gravities, if it is not known, and by several drags on the Earth.
 *
 * @param gravity known gravity, m/s^2; null if it is not known.
 * @param by the flight by a gravity, m/s^2, downwards, and a drag, 1/m.
 * @throws where the usual gravity without drag shows none.
 */
export function nearestFlight<Found extends { readonly flight: Flight }>(
  gravity: number | null,
  by: (pull: number, drag: number) => Found,
): Found & { readonly pull: number; readonly drag: number } {
  const at = (pull: number, drag: number) => ({ ...by(pull, drag), pull, drag });
  const [usual, ...others] = gravity === null ? GRAVITIES : [gravity];
  const tried = [...others.map((pull) => [pull, 0] as const), ...DRAGS.map((drag) => [usual, drag] as const)];
  return tried.reduce(
    (best, [pull, drag]) => {
      try {
        const found = at(pull, drag);
        return found.flight.residual < best.flight.residual ? found : best;
      } catch {
        // By these it does not fly.
        return best;
      }
    },
    at(usual, 0),
  );
}
