import type { BuildContext } from '@gradsim/core';
import {
  abs,
  cross,
  describeValue,
  f32,
  field,
  GradsimError,
  index,
  kernel,
  normalize,
  Surfaces,
  select,
  vec2,
  vec3,
} from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Spring } from './spring.ts';

/** Appearance of springs. */
export interface SpringLook {
  /** Half the side of the square bars, m: the field `world.springRadius`. */
  readonly radius: number;
  /** Red, green, blue in [0, 1]. Default a light grey. */
  readonly color?: readonly [number, number, number];
}

/** Number of corners of the square cross-section with which a spring is drawn. */
const SECTION_CORNERS = 4;
/**
 * Number of corners of the bar that draws a spring: four at its first end, then four at its second, counter-clockwise
 * seen from beyond the second.
 */
const CORNERS_PER_BAR = 2 * SECTION_CORNERS;
/** The triangles of a bar, counter-clockwise seen from outside: two a side, two an end. */
const BAR_TRIANGLES = [
  ...Array.from({ length: SECTION_CORNERS }, (_, k) => {
    const next = (k + 1) % SECTION_CORNERS;
    return [k, next, next + SECTION_CORNERS, k, next + SECTION_CORNERS, k + SECTION_CORNERS];
  }).flat(),
  ...[0, 2, 1, 0, 3, 2],
  ...[4, 5, 6, 4, 6, 7],
];

const domain = 'springVertices';
/** Indices of the two particles of the bar that a corner belongs to. */
const barEnds = field(domain, 'ends', index('particles', 2));
/**
 * End of the bar that a corner lies at, 0 or 1; and its offset from the bar's axis in two directions across it, in
 * units of `springRadius`.
 */
const endOfCorner = field(domain, 'end', f32);
const offsetFromAxis = field(domain, 'across', vec2);
const corner = field(domain, 'position', vec3, { unit: 'm' });
const springRadius = field('world', 'springRadius', f32, { unit: 'm' });

/** Absolute cosine of the angle to the y axis above which a bar orients its sides by the x axis instead. */
const UPRIGHT_COSINE = 0.9;

const poseSpring = kernel(
  'poseSpring',
  {
    domain,
    reads: { ends: barEnds, end: endOfCorner, across: offsetFromAxis, springRadius, position: Particle.position },
    writes: { corner },
  },
  ({ ends: [i, j], end, across, springRadius, position }) => {
    const along = position.at(j).sub(position.at(i));
    const direction = normalize(along);
    const isUpright = abs(direction.y).gt(UPRIGHT_COSINE);
    const aside = vec3(select(isUpright, f32(1), f32(0)), select(isUpright, f32(0), f32(1)), 0);
    const first = normalize(cross(direction, aside));
    const offset = first.mul(across.x).add(cross(direction, first).mul(across.y));
    return { corner: position.at(i).add(along.mul(end)).add(offset.mul(springRadius)) };
  },
);

/** @throws for a radius that is not positive, or a colour that is not three numbers in [0, 1]. */
export function checkLook({ radius, color }: SpringLook): void {
  if (!(radius > 0 && Number.isFinite(radius)))
    throw new GradsimError(
      'springs/option-out-of-range',
      `springs: the radius of what is drawn takes a positive number, m; got ${describeValue(radius)}.`,
    );
  if (color && (color.length !== 3 || color.some((c) => !(c >= 0 && c <= 1))))
    throw new GradsimError(
      'springs/option-out-of-range',
      `springs: color takes red, green and blue in [0, 1]; got ${describeValue(color)}.`,
      { field: 'color' },
    );
}

/** Offers springs to renderers, as bars between their ends. */
export function drawSprings({ scene, model, entities }: BuildContext, { radius, color }: SpringLook): void {
  const all = entities(Spring);
  const corners = Array.from({ length: all.length * CORNERS_PER_BAR }, (_, k) => k);
  const endsOfSprings = model.field(Spring.ends).values!;
  model.addDomain(domain, corners.length);
  model.addIndex(
    barEnds,
    corners.flatMap((k) => [0, 1].map((side) => endsOfSprings[2 * Math.floor(k / CORNERS_PER_BAR) + side])),
  );
  model.addField(endOfCorner, { values: corners.map((k) => (k % CORNERS_PER_BAR < SECTION_CORNERS ? 0 : 1)) });
  const angle = (k: number): number => ((k % SECTION_CORNERS) + 0.5) * (Math.PI / 2);
  // The sides of a square are at a radius from its middle.
  const reach = Math.SQRT2;
  model.addField(offsetFromAxis, {
    values: corners.flatMap((k) => [reach * Math.cos(angle(k)), reach * Math.sin(angle(k))]),
  });
  model.addField(springRadius, { fill: radius });
  if (all.length === 0) return;
  model.addPass('pose', poseSpring);
  const triangles = all.flatMap((_, bar) => BAR_TRIANGLES.map((c) => bar * CORNERS_PER_BAR + c));
  const perSpring = BAR_TRIANGLES.length / 3;
  model.offer(Surfaces, {
    position: corner,
    triangles,
    ...(color ? { triangleColors: triangles.flatMap((_, k) => (k % 3 === 0 ? color : [])) } : {}),
    name: 'springs',
    describe: (triangle) => `a triangle of ${scene.describe(all[Math.floor(triangle / perSpring)])}`,
  });
}
