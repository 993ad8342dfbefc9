const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Step that a key asks for: of an arrow, `alone` or, with the shift key, `leap`; of Enter and space, none, [0, 0]. The
 * event of such a key goes no further.
 *
 * @returns undefined for other keys.
 */
export function stepOfKey(
  event: KeyboardEvent,
  { alone, leap }: { readonly alone: number; readonly leap: number },
): readonly [number, number] | undefined {
  const arrow = event.key === 'Enter' || event.key === ' ' ? ([0, 0] as const) : ARROWS[event.key];
  if (!arrow) return undefined;
  event.preventDefault();
  event.stopPropagation();
  const step = event.shiftKey ? leap : alone;
  return [step * arrow[0], step * arrow[1]];
}
