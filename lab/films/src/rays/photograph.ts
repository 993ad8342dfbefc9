import { axesOf, type Camera } from '../camera.ts';
import type { Photographer, Pictures } from '../photograph.ts';
import { Random } from '../random.ts';
import type { Shot } from '../shot.ts';
import type { Vector } from '../vectors.ts';
import { along, unit } from '../vectors.ts';
import { Body, bodiesOf } from './body.ts';
import { type Instant, Room } from './room.ts';

/**
 * A photographer that follows rays, on the processor alone. Its pictures share nothing with those of the page: floor and wall are
 * tiles and planks, ambient light is less where a thing is near, colours are bent by a camera's curve.
 */
export const rayPhotographer: Photographer = {
  photograph: async (shot) => photograph(shot),
  dispose: async () => {},
};

function photograph(shot: Shot): Pictures {
  const { width, height } = shot.camera;
  const random = new Random(shot.look.seed + 5);
  const room = new Room(shot.look);
  const props = shot.props.map(({ solid, pose }) => new Body(solid, pose));
  const rays = new Rays(shot);
  const still = { light: new Float64Array(3 * width * height), width, height };
  const empty = { actors: [], props };
  expose(room, rays, Array(shot.instants).fill(empty), true, still);
  const frames = Array.from({ length: shot.frames }, (_, frame) => {
    const seen = { ...still, light: still.light.slice() };
    const instants = Array.from({ length: shot.instants }, (_, instant) => ({
      actors: shot.actors.flatMap((actor) => bodiesOf(actor, frame, instant)),
      props,
    }));
    expose(room, rays, instants, false, seen);
    return develop(seen.light, shot, random);
  });
  return { frames: Buffer.concat(frames), plate: develop(still.light, shot, random) };
}

/** Linear light of a picture, three channels a pixel. */
interface Light {
  readonly light: Float64Array;
  readonly width: number;
  readonly height: number;
}

/** Edge length of the blocks of pixels that are exposed anew where an actor changes them or those beside them, px. */
const BLOCK = 4;

/** Rays of a camera, at places within its pixels and of the lamp's face that are unrelated to the instants' times. */
class Rays {
  readonly #camera: Camera;
  readonly #axes: ReturnType<typeof axesOf>;
  readonly #places: readonly (readonly number[])[];

  constructor({ camera, instants }: Shot) {
    this.#camera = camera;
    this.#axes = axesOf(camera);
    const random = new Random(instants);
    const places = Array.from({ length: instants }, () => [0, 1, 2, 3].map(() => random.unit()));
    const middle = [0, 1].map((k) => places.reduce((sum, place) => sum + place[k] / instants, 0));
    // About the middle of a pixel.
    this.#places = places.map(([u, v, ...onLamp]) => [u - middle[0] + 0.5, v - middle[1] + 0.5, ...onLamp]);
  }

  /** Light at a pixel at an instant. */
  light(room: Room, x: number, y: number, things: Instant, instant: number): Vector {
    const [u, v, ...onLamp] = this.#places[instant];
    return room.lightAlong(this.#camera.eye, this.#towards(x + u, y + v), things, onLamp);
  }

  /** True if actors change a block of pixels: by four rays in other rows and columns, at times from the first to the last. */
  isTouched(room: Room, x: number, y: number, instants: readonly Instant[]): boolean {
    return [0, 1, 2, 3].some((k) => {
      const instant = Math.round((k / 3) * (instants.length - 1));
      const direction = this.#towards(x + k + 0.5, y + ((2 * k + 1) % 5) + 0.5);
      return room.isTouched(this.#camera.eye, direction, instants[instant], this.#places[instant].slice(2));
    });
  }

  #towards(x: number, y: number): Vector {
    const { forward, right, up, focal } = this.#axes;
    const { width, height } = this.#camera;
    return unit(along(along(forward, right, (x - width / 2) / focal), up, (height / 2 - y) / focal));
  }
}

/** Writes the mean light of all instants of an exposure into a picture, everywhere or where actors change it. */
function expose(room: Room, rays: Rays, instants: readonly Instant[], isAll: boolean, to: Light): void {
  const { light, width, height } = to;
  const [columns, rows] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)];
  const touched = Array.from(
    { length: columns * rows },
    (_, k) => isAll || rays.isTouched(room, BLOCK * (k % columns), BLOCK * Math.floor(k / columns), instants),
  );
  const near = dilated(touched, columns);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!near[Math.floor(y / BLOCK) * columns + Math.floor(x / BLOCK)]) continue;
      const at = 3 * (y * width + x);
      light.fill(0, at, at + 3);
      instants.forEach((things, instant) => {
        const seen = rays.light(room, x, y, things, instant);
        for (let c = 0; c < 3; c++) light[at + c] += seen[c] / instants.length;
      });
    }
}

/** True for each that is so itself or has a neighbour that is. */
const dilated = (values: readonly boolean[], columns: number): boolean[] =>
  values.map((_, k) =>
    [-1, 0, 1].some((a) => {
      const column = (k % columns) + a;
      return column >= 0 && column < columns && [-columns, 0, columns].some((b) => values[k + a + b]);
    }),
  );

/** Light that a camera's curve brings to 63 % of what no light exceeds. */
const BRIGHT = 0.7;

/** Converts linear light to 8-bit RGB: noise, gain, a curve without any straight part, and a power. */
function develop(light: Float64Array, { look: { gain, readNoise, shotNoise } }: Shot, random: Random): Buffer {
  const full = 1 - Math.exp(-1 / BRIGHT);
  return Buffer.from(
    Uint8Array.from(light, (signal, at) => {
      const noise = Math.hypot(readNoise, Math.sqrt(shotNoise * signal)) * random.normal();
      const bent = (1 - Math.exp(-Math.max(gain[at % 3] * (signal + noise), 0) / BRIGHT)) / full;
      return Math.min(Math.round(255 * bent ** (1 / 2.2)), 255);
    }),
  );
}
