/** Convex hull of points, by Andrew's monotone chain. */
export function hullOf(points: readonly (readonly number[])[]): (readonly number[])[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (all: readonly (readonly number[])[]): (readonly number[])[] => {
    const chain: (readonly number[])[] = [];
    for (const point of all) {
      for (;;) {
        const [a, b] = chain.slice(-2);
        if (!b || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
