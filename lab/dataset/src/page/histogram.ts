/** Number of bars of a histogram. */
const BARS = 24;
const [WIDTH, HEIGHT, MARGIN] = [260, 90, 16];

/** Draws a histogram of values as SVG, with equal intervals over their range. */
export function histogram(name: string, values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = (high - low) / BARS || 1;
  const counts = Array<number>(BARS).fill(0);
  for (const value of values) counts[Math.min(BARS - 1, Math.floor((value - low) / step))]++;
  return bars(
    name,
    counts,
    `<text x="0" y="${HEIGHT - 3}">${formatted(low)}</text><text x="${WIDTH}" y="${HEIGHT - 3}" text-anchor="end">${formatted(high)}</text>`,
  );
}

/** Table, in HTML, of how often each text occurs. */
export function countTable(name: string, counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts);
  const rows = entries.map(([text, count]) => `<tr><td>${text}</td><td style="text-align: right">${count}</td></tr>`);
  return `<figure><figcaption>${name}</figcaption><table>${rows.join('')}</table></figure>`;
}

function bars(name: string, counts: readonly number[], labels: string): string {
  const most = Math.max(...counts, 1);
  const width = WIDTH / counts.length;
  const room = HEIGHT - MARGIN;
  const rects = counts.map((count, k) => {
    const height = (room * count) / most;
    const place = `x="${(k * width).toFixed(1)}" y="${(room - height).toFixed(1)}"`;
    return `<rect ${place} width="${(width - 1).toFixed(1)}" height="${height.toFixed(1)}"><title>${count}</title></rect>`;
  });
  return `<figure><figcaption>${name}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${rects.join('')}${labels}</svg></figure>`;
}

const formatted = (value: number): string => String(Number(value.toPrecision(3)));
