import { project } from '../camera.ts';
import type { Photographer, Pictures } from '../photograph.ts';
import { Random } from '../random.ts';
import type { Shot } from '../shot.ts';
import type { Vector } from '../vectors.ts';
import { along, cross, subtract, unit } from '../vectors.ts';
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
  const still = new Float64Array(3 * width * height);
  const whole = { left: 0, top: 0, right: width, bottom: height };
  expose(
    shot,
    room,
    Array.from({ length: shot.instants }, () => ({ actors: [], props })),
    whole,
    still,
  );
  const frames = Array.from({ length: shot.frames }, (_, frame) => {
    const light = still.slice();
    const instants = Array.from({ length: shot.instants }, (_, instant) => ({
      actors: shot.actors.flatMap((actor) => bodiesOf(actor, frame, instant)),
      props,
    }));
    const seen = [instants[0], instants[shot.instants - 1]].flatMap(({ actors }) => actors);
    for (const part of partsOf(shot, room, seen)) expose(shot, room, instants, part, light);
    return develop(light, shot, random);
  });
  return { frames: Buffer.concat(frames), plate: develop(still, shot, random) };
}

/** Part of a picture, px. */
interface Part {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Radii of a thing within which it takes ambient light away from what is around it. */
const SURROUNDINGS = 2.5;

/** Parts of the picture that bodies and what they take light from may cover, and their shadows. */
function partsOf({ camera, props }: Shot, room: Room, bodies: readonly Body[]): Part[] {
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z): Vector => [x, y, z])));
  const around = (by: (body: Body) => number): Vector[] =>
    bodies.flatMap((body) => corners.map((corner) => along(body.position, corner, by(body))));
  const near = around(({ reach, size }) => Math.max(reach, SURROUNDINGS * size));
  const shadows = around(({ reach }) => reach).flatMap((end) => room.shadowsOf(end));
  const partAround = (points: readonly Vector[]): Part => {
    const seen = points.map((point) => project(camera, point)).filter(([, , depth]) => depth > 0);
    const range = (k: 0 | 1, size: number): [number, number] => {
      const all = seen.map((point) => point[k]);
      return [Math.max(Math.floor(Math.min(...all)) - 2, 0), Math.min(Math.ceil(Math.max(...all)) + 2, size)];
    };
    const [[left, right], [top, bottom]] = [range(0, camera.width), range(1, camera.height)];
    return { left, top, right, bottom };
  };
  // A shadow on a prop is anywhere on the way to that on the floor.
  return props.length > 0 ? [partAround([...near, ...shadows])] : [partAround(near), partAround(shadows)];
}

/** Writes the mean light of all instants of an exposure into a part of a picture. */
function expose({ camera }: Shot, room: Room, instants: readonly Instant[], part: Part, light: Float64Array): void {
  const { eye, target, fieldOfView, width, height } = camera;
  const forward = unit(subtract(target, eye));
  const right = unit(cross(forward, [0, 1, 0]));
  const up = cross(right, forward);
  const focal = height / 2 / Math.tan(fieldOfView / 2);
  // Places within a pixel and on the lamp that are unrelated to time: a generator's, the same in each exposure.
  const random = new Random(instants.length);
  const places = instants.map(() => [random.unit(), random.unit(), random.unit(), random.unit()]);
  const middle = [0, 1].map((k) => places.reduce((sum, place) => sum + place[k] / places.length, 0));
  for (let y = part.top; y < part.bottom; y++)
    for (let x = part.left; x < part.right; x++) {
      const at = 3 * (y * width + x);
      light.fill(0, at, at + 3);
      instants.forEach((instant, i) => {
        const [u, v, ...onLamp] = places[i];
        const across = (x + 0.5 + u - middle[0] - width / 2) / focal;
        const down = (y + 0.5 + v - middle[1] - height / 2) / focal;
        const seen = room.lightAlong(eye, unit(along(along(forward, right, across), up, -down)), instant, onLamp);
        for (let c = 0; c < 3; c++) light[at + c] += seen[c] / instants.length;
      });
    }
}

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
