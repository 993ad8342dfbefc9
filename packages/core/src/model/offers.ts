import { GradsimError } from '@gradsim/base';
/**
 * A kind of thing that plugins offer each other: surfaces to render, points that can touch. Plugins that offer and
 * plugins that take do not depend on each other; both depend on the offer.
 */
export interface Offer<T = unknown> {
  /** Name for messages: a plural noun. */
  readonly name: string;
  /** Returns the reason to refuse an offered thing, given those offered before; undefined if it is acceptable. */
  faultOf?(what: T, before: readonly T[]): string | undefined;
  /** Carries the type for TypeScript; never set. */
  readonly type?: T;
}

/**
 * Declares a kind of offer, for plugins to name in `offers` and `takes`.
 *
 * ```ts
 * export const Lamps = defineOffer<{ readonly watts: number }>('lamps', ({ watts }) =>
 *   watts > 0 ? undefined : `of ${watts} W`,
 * );
 * ```
 * @param faultOf returns what is wrong with an offered thing, to end the sentence "The plugin ... offers lamps".
 */
export function defineOffer<T>(
  name: string,
  faultOf?: (what: T, before: readonly T[]) => string | undefined,
): Offer<T> {
  return { name, faultOf };
}

/** Declarations of a plugin that determine when it builds. */
export interface OfferDeclarations {
  /** Name of the plugin: that of its package. */
  readonly name: string;
  /** Names of plugins that must be registered too; they build before it. */
  readonly requires?: readonly string[];
  /** Offers that it makes to other plugins, in `build`: see `defineOffer`. */
  readonly offers?: readonly Offer[];
  /** Offers of other plugins that it changes; it builds after the plugins that make them. */
  readonly amends?: readonly Offer[];
  /**
   * Offers that it reads in `build`; it builds after the plugins that make or amend them. In `finish`, all offers are
   * complete.
   */
  readonly takes?: readonly Offer[];
}

/** All offers that the plugins of a model have made. */
export class Offers {
  readonly #all = new Map<Offer, unknown[]>();

  add<T>(offer: Offer<T>, what: T, by: OfferDeclarations | undefined): void {
    refuseUndeclared(by, 'offers', offer);
    const flaw = offer.faultOf?.(what, this.allOf(offer));
    if (flaw)
      throw new GradsimError(
        'core/wrong-offer',
        `${by ? `The plugin ${by.name} offers` : 'Offered are'} ${offer.name} ${flaw}.`,
      );
    this.#all.set(offer, [...this.allOf(offer), what]);
  }
  change<T>(offer: Offer<T>, change: (what: T) => T, by: OfferDeclarations | undefined): void {
    refuseUndeclared(by, 'amends', offer);
    this.#all.set(offer, this.allOf(offer).map(change));
  }
  /**
   * Returns everything that plugins have offered of a kind.
   * @param isLate whether all plugins have built.
   */
  offersFor<T>(offer: Offer<T>, by: OfferDeclarations | undefined, isLate: boolean): readonly T[] {
    if (!isLate) refuseUndeclared(by, 'takes', offer);
    return this.allOf(offer);
  }
  allOf<T>(offer: Offer<T>): readonly T[] {
    return (this.#all.get(offer) ?? []) as T[];
  }
}

/** Refuses a use of offers that a plugin does not declare: the declarations decide the build order. */
function refuseUndeclared(by: OfferDeclarations | undefined, list: 'offers' | 'amends' | 'takes', offer: Offer): void {
  if (!by || by[list]?.includes(offer)) return;
  throw new GradsimError(
    'core/offer-not-declared',
    `The plugin ${by.name} ${list} ${offer.name}, and does not say so.`,
    { hint: `Name the offer in its \`${list}\`, which decides when it builds.` },
  );
}

/** Advice on plugins that wait for each other. An offer is a reason to build first, so what takes it cannot be required. */
function cureOf(plugins: readonly OfferDeclarations[]): string {
  for (const { name, requires = [], offers = [] } of plugins)
    for (const other of plugins)
      for (const offer of offers)
        if (requires.includes(other.name) && other.takes?.includes(offer))
          return `Leave ${other.name} out of what ${name} requires: ${other.name} takes the ${offer.name} that ${name} offers, and so builds after it. Refer to its fields by the components that it exports.`;
  return 'What a plugin only looks at, it can look at in `finish`.';
}

/**
 * Returns plugins in the order in which they build: required plugins first; for each offer, plugins that make it, then
 * those that amend it, then those that take it; otherwise in the order of registration.
 * @throws when there is no such order, naming the cycle of plugins.
 */
export function buildOrder<P extends OfferDeclarations>(plugins: readonly P[]): P[] {
  const before = (a: P, b: P): boolean => {
    const both = (first: readonly Offer[] = [], then: readonly Offer[] = []): boolean =>
      first.some((offer) => then.includes(offer));
    return (
      (b.requires?.includes(a.name) ?? false) ||
      both(a.offers, b.amends) ||
      both(a.offers, b.takes) ||
      both(a.amends, b.takes)
    );
  };
  const order: P[] = [];
  const place = (plugin: P, path: readonly P[]): void => {
    if (order.includes(plugin)) return;
    if (path.includes(plugin)) {
      const circle = [...path.slice(path.indexOf(plugin)), plugin].map(({ name }) => name);
      throw new GradsimError(
        'core/plugins-in-circle',
        `Plugins wait for each other to build: ${circle.reverse().join(' builds before ')}, by what they require, offer and take.`,
        { hint: cureOf(plugins.filter(({ name }) => circle.includes(name))) },
      );
    }
    for (const other of plugins) if (other !== plugin && before(other, plugin)) place(other, [...path, plugin]);
    order.push(plugin);
  };
  for (const plugin of plugins) place(plugin, []);
  return order;
}
