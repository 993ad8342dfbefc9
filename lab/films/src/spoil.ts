import { project } from './camera.ts';
import { drawTake, FRAME_RATE } from './draw-take.ts';
import { drawShades } from './paint.ts';
import { Random } from './random.ts';
import type { Shape } from './shot.ts';
import { UPRIGHT } from './shot.ts';
import type { Kind, Mover, Recording, Scene, SpoiledTake } from './take.ts';
import { KINDS } from './take.ts';
import type { Vector } from './vectors.ts';
import { add, along, scale, subtract, unit } from './vectors.ts';

const SPOIL_KINDS = ['wrong shape', 'wrong scale', 'another object', 'dropped frames'] as const;
/**
 * Number of the first film with a wrong record: higher than those of correct films, so that their random numbers are
 * not reused.
 */
const FIRST_SPOILED = 1000;

/**
 * Draws a film whose record is wrong in one of four ways: shape, scale, an additional object, or dropped frames.
 *
 * @param kinds kinds that are spoiled in turn.
 */
export function drawSpoiled(number: number, seed: number, kinds: readonly Kind[] = KINDS): Recording {
  // Each way meets other kinds in each round of all ways.
  const kind = kinds[(number - Math.floor(number / SPOIL_KINDS.length)) % kinds.length];
  const take = drawTake(kind, FIRST_SPOILED + number, seed);
  const random = new Random(seed * 100_003 + 777_000 + number);
  const spoil = {
    'wrong shape': withOtherShape,
    'wrong scale': withWrongScale,
    'another object': addIntruder,
    'dropped frames': dropObject,
  };
  return spoil[SPOIL_KINDS[number % SPOIL_KINDS.length]](take, random);
}

const spoilTake = (how: SpoiledTake['how'], note: string): Pick<Recording, 'spoiled'> => ({ spoiled: { how, note } });

/** Draws the object in a shape other than the record states. */
function withOtherShape(take: Recording, random: Random): Recording {
  const [main, ...others] = take.scene.movers;
  const { solid } = main;
  const shape = otherShape(solid, random);
  const mover: Mover = { ...main, solid: { ...shape, paint: solid.paint } };
  const note = `The ${take.scene.kind} is drawn as ${JSON.stringify(shape)}.`;
  return { ...take, scene: { ...take.scene, movers: [mover, ...others] }, ...spoilTake('wrong shape', note) };
}

function otherShape(solid: Shape, random: Random): Shape {
  switch (solid.shape) {
    case 'sphere': {
      const squeezed = random.between(0.55, 0.75);
      return { shape: 'ellipsoid', radii: [solid.radius, solid.radius * squeezed, solid.radius] };
    }
    case 'box':
      return { shape: 'ellipsoid', radii: solid.halfSizes };
    case 'prism':
      return { shape: 'ellipsoid', radii: [solid.radius, 0.6 * solid.radius, solid.width / 2] };
    case 'strip':
      return { ...solid, thickness: solid.thickness * random.between(1.6, 2) };
    default:
      throw new Error(`There is no other shape for a ${solid.shape}.`);
  }
}

/** Names of the record's lengths; all of them are lengths of the object or of its rod. */
const LENGTHS = ['radius', 'width', 'size', 'length', 'thickness', 'span'];

/** Scales the lengths in the record, so that the filmed object is larger or smaller than recorded. */
function withWrongScale(take: Recording, random: Random): Recording {
  const factor = random.pick([random.between(0.7, 0.8), random.between(1.25, 1.4)]);
  const measured: Scene['measured'] = Object.fromEntries(
    Object.entries(take.scene.measured).map(([name, value]) => [
      name,
      LENGTHS.includes(name) && value !== null
        ? typeof value === 'number'
          ? value * factor
          : scale(value, factor)
        : value,
    ]),
  );
  const note = `Lengths of the ${take.scene.kind} are told ${factor.toFixed(3)} times as large as they are.`;
  return { ...take, scene: { ...take.scene, measured }, ...spoilTake('wrong scale', note) };
}

/** Lets a second ball fly through the picture, which passes between camera and object. */
function addIntruder(take: Recording, random: Random): Recording {
  const { scene, camera, frames } = take;
  const half = frames / FRAME_RATE / 2;
  const middle = scale(
    scene.outline(half).reduce<Vector>((sum, point) => add(sum, point), [0, 0, 0]),
    1 / scene.outline(half).length,
  );
  const size = Math.max(...scene.outline(half).map((point) => Math.hypot(...subtract(point, middle))));
  const distance = Math.hypot(...subtract(camera.eye, middle));
  const nearer = along(middle, unit(subtract(camera.eye, middle)), Math.min(1.5 * size + 0.1, distance / 3));
  const radius = random.between(0.05, 0.08);
  const speed = (random.sign() * distance * camera.fieldOfView) / half / 2;
  const mover: Mover = {
    solid: { shape: 'sphere', radius, paint: drawShades(random) },
    poseAt: (t) => ({
      position: add(nearer, [speed * (t - half), 0.15 - 2 * (t - half) ** 2, 0]),
      orientation: UPRIGHT,
    }),
  };
  const changed: Scene = { ...scene, movers: [...scene.movers, mover] };
  return {
    ...take,
    scene: changed,
    ...spoilTake('another object', `A ball of radius ${radius.toFixed(3)} m flies past.`),
  };
}

/** Minimum motion of the object during dropped frames, px: without motion the gap would be invisible. */
const MIN_SEEN_FRAMES = 6;

/** Drops some frames, so that all later frames come too early. */
function dropObject(take: Recording, random: Random): Recording {
  const { scene, camera, frames } = take;
  const gaps = Math.round(random.between(2, 3));
  const lost = new Set<number>();
  for (let gap = 0; gap < gaps; ) {
    const first = Math.round(random.between(4, frames - 10));
    const count = Math.round(random.between(1, 3));
    const [before, after] = [first - 1, first + count].map((frame) => scene.outline(frame / FRAME_RATE));
    const moves = before.map((point, k) => {
      const [from, to] = [project(camera, point), project(camera, after[k])];
      return Math.hypot(to[0] - from[0], to[1] - from[1]);
    });
    if (Math.max(...moves) < MIN_SEEN_FRAMES) continue;
    for (let k = 0; k < count; k++) lost.add(first + k);
    gap++;
  }
  const numbers = [...lost].sort((a, b) => a - b);
  return {
    ...take,
    lost: numbers,
    ...spoilTake('dropped frames', `Frames ${numbers.join(', ')} are missing.`),
  };
}
