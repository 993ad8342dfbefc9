import { PICTURES } from '../tuning/pictures.ts';
import { coveredBy, type PartSeen } from './parts.ts';
import type { Pictures } from './pictures.ts';

/**
 * What is behind, in the shadows that lie on it: the pixels beside the thing tell them, and they are taken to go on behind its rim.
 *
 * @param soft pixels over which the rim is drawn.
 */
export function withShadows({ seen, behind, cut }: Pictures, parts: readonly PartSeen[], soft: number): Pictures {
  const { darkest, brightest, colour } = PICTURES.shadow;
  const pixels = cut.width * cut.height;
  const covered = coveredBy(parts, pixels);
  // Part of the light that is left; 0 where the thing covers the pixel, so that it is not known yet.
  let shade = new Float64Array(pixels);
  for (let p = 0; p < pixels; p++) {
    if (covered[p] > 0) continue;
    let [along, own, square] = [0, 0, 0];
    for (let c = 0; c < 3; c++) {
      const [s, b] = [seen[3 * p + c], behind[3 * p + c]];
      along += s * b;
      own += b * b;
      square += s * s;
    }
    const part = along / Math.max(own, 1e-6);
    const aside = Math.sqrt(Math.max(square - part * along, 0));
    shade[p] = aside < colour ? Math.min(Math.max(part, darkest), brightest) : 1;
  }
  // An unknown pixel takes the mean of its known neighbours, ring by ring.
  for (let ring = 0; ring < PICTURES.shadowInwards + soft; ring++) {
    const next = shade.slice();
    for (let p = 0; p < pixels; p++) {
      if (shade[p] > 0) continue;
      const [x, y] = [p % cut.width, Math.floor(p / cut.width)];
      let [sum, count] = [0, 0];
      for (let row = Math.max(0, y - 1); row <= Math.min(cut.height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(cut.width - 1, x + 1); column++) {
          const part = shade[row * cut.width + column];
          if (part === 0) continue;
          sum += part;
          count++;
        }
      if (count > 0) next[p] = sum / count;
    }
    shade = next;
  }
  return { seen, cut, behind: behind.map((light, k) => light * (shade[Math.floor(k / 3)] || 1)) };
}
