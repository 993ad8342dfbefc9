import type { BuildContext, Component, Offer } from '@gradsim/core';
import { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';

/** What contact's kernels run over, and its aspects belong to. */
const DOMAIN = { points: 'particles', bodies: 'bodies' } as const;

/** The points of the scene that can touch; none where no plugin has any. */
export const pointsIn = (context: BuildContext): PointsThatTouch | undefined =>
  theOne(context, PointsThatTouch, DOMAIN.points);
/** The bodies of the scene that can touch; none where no plugin has any. */
export const bodiesIn = (context: BuildContext): BodiesThatTouch | undefined =>
  theOne(context, BodiesThatTouch, DOMAIN.bodies);

/** @throws for an offer of others than those that contact knows. */
function theOne<T extends { readonly component: Component }>(
  { model }: BuildContext,
  offer: Offer<T>,
  domain: string,
): T | undefined {
  const offered = model.offered(offer);
  const strange = offered.find(({ component }) => component.domain !== domain);
  if (strange)
    throw new Error(
      `The plugin @gradsim/contact knows no ${strange.component.domain} among ${offer.name}; it knows ${domain}.`,
    );
  return offered[0];
}
