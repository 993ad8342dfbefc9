/** Derivatives at phases of one case, by each law, and the truth. */
export interface Panel {
  readonly title: string;
  readonly truth: number;
  /** Phase within a substep, 0 to 1, and derivative there. */
  readonly before: readonly (readonly [number, number])[];
  readonly now: readonly (readonly [number, number])[];
}

const [WIDTH, HEIGHT, GAP, LEFT, TOP, BOTTOM] = [330, 210, 70, 50, 34, 40];

/** Picture of derivatives over the phase at which a touch begins, panel beside panel, as SVG. */
export function pictureOf(panels: readonly Panel[]): string {
  const width = LEFT + panels.length * (WIDTH + GAP);
  const height = TOP + HEIGHT + BOTTOM;
  const drawn = panels.map((panel, k) => panelOf(panel, LEFT + k * (WIDTH + GAP)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>Derivatives over the phase at which a touch begins</title>',
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function panelOf({ title, truth, before, now }: Panel, left: number): string {
  const values = [...before, ...now].map(([, value]) => value).concat(truth);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (phase: number): string => (left + WIDTH * phase).toFixed(1);
  const y = (value: number): string => (TOP + HEIGHT * (1 - (value - low) / (high - low))).toFixed(1);
  const dots = (points: Panel['now'], colour: string): string =>
    points.map(([phase, value]) => `<circle cx="${x(phase)}" cy="${y(value)}" r="3" fill="${colour}"/>`).join('');
  const label = (value: number): string =>
    `<text x="${left - 6}" y="${y(value)}" dy="4" text-anchor="end">${value.toFixed(2)}</text>`;
  return [
    `<text x="${left}" y="${TOP - 14}" font-weight="bold">${title}</text>`,
    `<rect x="${left}" y="${TOP}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#999"/>`,
    `<line x1="${x(0)}" x2="${x(1)}" y1="${y(truth)}" y2="${y(truth)}" stroke="black" stroke-dasharray="4 3"/>`,
    dots(before, '#c44'),
    dots(now, '#27c'),
    ...[low, truth, high].map(label),
    `<text x="${left + WIDTH / 2}" y="${TOP + HEIGHT + 28}" text-anchor="middle">when the touch begins, within a substep</text>`,
  ].join('\n');
}
