import type { Flight } from '@gradsim/film';

/** Gravities from which an unknown one starts, m/s^2, the usual one first: of wrong lengths they are far from it. */
const GRAVITIES = [9.81, 2.5, 3.7, 5, 6, 7, 8, 9, 10.6, 11.5, 12.5, 14, 16, 20, 25] as const;

/** The bounce by that gravity which fits the track best. @throws where the usual one shows none. */
export function nearest<Found extends { readonly flight: Flight }>(by: (pull: number) => Found): Found {
  const [usual, ...others] = GRAVITIES;
  return others.reduce((best, pull) => {
    try {
      const found = by(pull);
      return found.flight.residual < best.flight.residual ? found : best;
    } catch {
      // By this gravity it does not fly.
      return best;
    }
  }, by(usual));
}
