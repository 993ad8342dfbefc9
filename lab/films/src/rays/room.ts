import type { Color, Look } from '../shot.ts';
import type { Vector } from '../vectors.ts';
import { along, cross, dot, scale, subtract, unit } from '../vectors.ts';
import type { Body } from './body.ts';

/** Edge length of tiles of the floor, width of planks of the wall, m, and what grooves between them reflect of the light. */
const [TILE, PLANK, GROOVE] = [0.31, 0.17, 0.93] as const;
/** Width of a groove, m, and size of blotches, m. */
const [GROOVE_WIDTH, BLOTCH] = [0.006, 0.07] as const;
const LAMP_COLOUR: Color = [1, 0.95, 0.88];
const SKY_COLOUR: Color = [0.85, 0.92, 1];
/** Light that a surface reflects into all directions, over what falls on it. */
const PER_IRRADIANCE = 1 / Math.PI;
/** Part of the ambient light that a near thing takes at most. */
const MOST_TAKEN = 0.85;

/** Things at an instant of an exposure. */
export interface Instant {
  readonly actors: readonly Body[];
  readonly props: readonly Body[];
}

/** Part of the ambient light above which a thing counts as leaving all of it. */
const LEAST_LEFT = 0.98;

/** Place at which a ray ends. */
interface Met {
  readonly place: Vector;
  readonly normal: Vector;
  readonly colour: Color;
  readonly body: Body | null;
}

/** A floor and a wall, lit by a lamp and by ambient light. */
export class Room {
  readonly #look: Look;
  readonly #lamp: Vector;
  readonly #side: Vector;
  readonly #over: Vector;

  constructor(look: Look) {
    this.#look = look;
    this.#lamp = unit(look.lamp);
    this.#side = unit(cross([0, 1, 0], this.#lamp));
    this.#over = cross(this.#lamp, this.#side);
  }

  #lampAt(u: number, v: number): Vector {
    const spread = 2 * this.#look.lampSpread;
    return unit(along(along(this.#lamp, this.#side, spread * (u - 0.5)), this.#over, spread * (v - 0.5)));
  }

  /** Light that comes to a place against a direction. @param onLamp place on the lamp's face, 0 to 1 each. */
  lightAlong(from: Vector, direction: Vector, things: Instant, [u, v]: readonly number[]): Color {
    const met = this.#meet(from, direction, things);
    if (!met) return scale(SKY_COLOUR, this.#look.skyIntensity * PER_IRRADIANCE);
    const { place, normal, colour, body } = met;
    const lamp = this.#lampAt(u, v);
    const facing = dot(normal, lamp);
    const isLit = facing > 0 && !isHidden(along(place, normal, 1e-4), lamp, things);
    const direct = isLit ? this.#look.lampIntensity * facing : 0;
    const taken = things.actors.reduce(
      (left, other) => (other === body ? left : left * leftBy(other, place, normal)),
      1,
    );
    // From below comes what the floor reflects.
    const sky = this.#look.skyIntensity * taken;
    const above = 0.5 + 0.5 * normal[1];
    const shine = body && isLit ? gloss(body, unit(subtract(lamp, direction)), normal) * direct : 0;
    return [0, 1, 2].map((c) => {
      const ambient = sky * (above * SKY_COLOUR[c] + (1 - above) * 0.6 * this.#look.floor[c]);
      return PER_IRRADIANCE * (colour[c] * (direct * LAMP_COLOUR[c] + ambient) + shine);
    }) as unknown as Color;
  }

  /** True if an actor is seen along a ray, or takes light from what is seen there. */
  isTouched(from: Vector, direction: Vector, things: Instant, [u, v]: readonly number[]): boolean {
    const met = this.#meet(from, direction, things);
    if (!met) return false;
    const { place, normal, body } = met;
    if (body && things.actors.includes(body)) return true;
    if (things.actors.some((actor) => leftBy(actor, place, normal) < LEAST_LEFT)) return true;
    return isHidden(along(place, normal, 1e-4), this.#lampAt(u, v), { ...things, props: [] });
  }

  /** The first thing that a ray meets; floor and wall are the last. */
  #meet(from: Vector, direction: Vector, { actors, props }: Instant): Met | null {
    let nearest: Body | null = null;
    let t = Number.POSITIVE_INFINITY;
    for (const bodies of [actors, props])
      for (const body of bodies) {
        const own = body.meet(from, direction, t);
        if (own < t) [nearest, t] = [body, own];
      }
    const { floor, wall, wallBehind } = this.#look;
    const down = direction[1] < 0 ? -from[1] / direction[1] : Number.POSITIVE_INFINITY;
    const back = direction[2] < 0 ? -(from[2] + wallBehind) / direction[2] : Number.POSITIVE_INFINITY;
    const behind = Math.min(down, back);
    if (nearest && t < behind) {
      const place = along(from, direction, t);
      return { place, normal: nearest.normal(), colour: nearest.colour(), body: nearest };
    }
    if (behind === Number.POSITIVE_INFINITY) return null;
    const place = along(from, direction, behind);
    const isFloor = down < back;
    const [x, y, size] = isFloor ? [place[0], place[2], TILE] : [place[0], place[1], PLANK];
    const grooves = isFloor ? [x, y] : [x];
    const isGroove = grooves.some((at) => Math.abs(at / size - Math.round(at / size)) * size < GROOVE_WIDTH / 2);
    const shade = (isGroove ? GROOVE : 1) * (0.8 + 0.35 * this.#blotch(x / BLOTCH, y / BLOTCH));
    return {
      place,
      normal: isFloor ? [0, 1, 0] : [0, 0, 1],
      colour: scale(isFloor ? floor : wall, shade),
      body: null,
    };
  }

  /** Smooth noise, 0 to 1, between values on a lattice that a hash of their places gives. */
  #blotch(x: number, y: number): number {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const ease = (t: number): number => t * t * (3 - 2 * t);
    const [u, v] = [ease(x - i), ease(y - j)];
    const at = (a: number, b: number): number => {
      const hash = Math.imul(Math.imul(a, 374761393) ^ Math.imul(b, 668265263) ^ this.#look.seed, 1274126177);
      return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
    };
    const row = (b: number): number => at(i, b) * (1 - u) + at(i + 1, b) * u;
    return row(j) * (1 - v) + row(j + 1) * v;
  }
}

/** True if something stands between a place and the lamp. */
const isHidden = (from: Vector, lamp: Vector, { actors, props }: Instant): boolean =>
  [actors, props].some((bodies) => bodies.some((body) => body.meet(from, lamp, 1e9) < 1e9));

/** Part of the ambient light that a thing leaves to a place: it counts as a ball of its volume. */
function leftBy({ position, size }: Body, place: Vector, normal: Vector): number {
  const towards = subtract(position, place);
  const away = Math.hypot(...towards);
  const share = (size / Math.max(away, size)) ** 2 * Math.max(dot(normal, scale(towards, 1 / away)), 0);
  return 1 - Math.min(share, MOST_TAKEN);
}

/** Highlight of a surface, over the lamp's irradiance (J. Blinn, 1977). */
function gloss({ solid: { paint } }: Body, halfway: Vector, normal: Vector): number {
  if (paint.roughness === 1) return 0;
  const sharpness = 2 / paint.roughness ** 4;
  return (0.04 + 0.1 * paint.clearcoat) * ((sharpness + 2) / 8) * Math.max(dot(normal, halfway), 0) ** sharpness;
}
