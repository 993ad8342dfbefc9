import type { Random } from './random.ts';
import type { Color, Paint } from './shot.ts';

/** Colours that differ clearly from white and from the greys and browns of floors, in linear light. */
const HUES: readonly Color[] = [
  [0.6, 0.04, 0.03],
  [0.03, 0.08, 0.45],
  [0.02, 0.3, 0.07],
  [0.65, 0.3, 0.01],
  [0.35, 0.02, 0.3],
  [0.01, 0.28, 0.32],
];

/** Draws a paint with `count` different colours: consecutive entries of {@link HUES} from a random one on. */
export function drawPaint(random: Random, count: number): Paint {
  const first = Math.floor(random.unit() * HUES.length);
  const colors = Array.from({ length: count }, (_, k) => {
    const shade = random.between(0.7, 1.2);
    return HUES[(first + k) % HUES.length].map((c) => c * shade) as unknown as Color;
  });
  return { colors, roughness: random.between(0.3, 0.8), clearcoat: random.between(0, 0.6) };
}

/** Draws a paint of one hue in two shades. */
export function drawShades(random: Random): Paint {
  const { colors, ...surface } = drawPaint(random, 1);
  const other = random.between(0.35, 0.6);
  return { ...surface, colors: [colors[0], colors[0].map((c) => c * other) as unknown as Color] };
}

/** Draws a matt paint for supporting surfaces, like wood or stone. */
export function drawDull(random: Random): Paint {
  const grey = random.between(0.25, 0.5);
  const color: Color = [grey, grey * random.between(0.8, 0.95), grey * random.between(0.6, 0.85)];
  return { colors: [color], roughness: 1, clearcoat: 0 };
}
