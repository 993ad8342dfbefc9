/** Returns the items in random order (Fisher and Yates' shuffle). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let k = order.length - 1; k > 0; k--) {
    const other = Math.floor((k + 1) * random());
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
