import type { Element } from '../element.ts';

const ACTUATORS = ['general', 'motor', 'position', 'velocity'];

/** Default classes of an MJCF file, which supply attributes that elements omit. */
export class Defaults {
  /** `<default>` elements by class name: that of the class first, then its ancestors to the outermost. */
  readonly #chains = new Map<string, readonly Element[]>();
  readonly #main: readonly Element[];

  constructor(outermost: readonly Element[]) {
    this.#main = outermost;
    for (const element of outermost) this.#add(element, [], true);
  }

  #add(element: Element, around: readonly Element[], isOutermost: boolean): void {
    const name = isOutermost ? (element.text('class') ?? 'main') : element.needText('class');
    if (!isOutermost && this.#chains.has(name)) element.refuseTakenName(`is a second class "${name}".`);
    const chain = [element, ...around];
    this.#chains.set(name, isOutermost ? this.#main : chain);
    for (const child of element.all('default')) this.#add(child, isOutermost ? this.#main : chain, false);
  }

  /**
   * Supplies omitted attributes of an element from its class; without a class, from `classAround`, the `childclass` of
   * the enclosing bodies.
   */
  apply(element: Element, classAround?: string): Element {
    const own = element.text('class');
    const name = own ?? classAround;
    const chain = name === undefined ? this.#main : this.#chains.get(name);
    if (!chain && name !== 'main')
      element.refuseUnknownName(`is of the class "${name}", and there is no <default class="${name}">.`);
    // Actuators of all kinds share their defaults; among two in a class, that of the same kind has precedence.
    const isAkin = (other: Element): boolean => ACTUATORS.includes(other.name) && ACTUATORS.includes(element.name);
    return element.inherit(
      (chain ?? []).flatMap((level) => [
        ...level.children.filter(({ name: n }) => n === element.name),
        ...level.children.filter((other) => other.name !== element.name && isAkin(other)),
      ]),
    );
  }
}
