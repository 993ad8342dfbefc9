import type { Camera } from './camera.ts';
import { cameraFor } from './camera.ts';
import { drawTimes, type Uneven } from './draw-times.ts';
import { drawBall } from './kinds/ball.ts';
import { drawBeam } from './kinds/beam.ts';
import { drawCart } from './kinds/cart.ts';
import { drawChain } from './kinds/chain.ts';
import { drawCollision } from './kinds/collision.ts';
import { drawConical } from './kinds/conical.ts';
import { drawDisc } from './kinds/disc.ts';
import { drawFilter } from './kinds/filter.ts';
import { drawFlight } from './kinds/flight.ts';
import { drawPendulum } from './kinds/pendulum.ts';
import { drawRod } from './kinds/rod.ts';
import { drawRoll } from './kinds/roll.ts';
import { drawSlide } from './kinds/slide.ts';
import { drawSpin } from './kinds/spin.ts';
import { drawSpring } from './kinds/spring.ts';
import { drawToss } from './kinds/toss.ts';
import { Random } from './random.ts';
import type { Color, Look } from './shot.ts';
import type { Kind, Recording, Scene } from './take.ts';
import { ALL_KINDS } from './take.ts';
import type { Vector } from './vectors.ts';

const SCENES: Readonly<Record<Kind, (random: Random) => Scene>> = {
  ball: drawBall,
  pendulum: drawPendulum,
  slide: drawSlide,
  toss: drawToss,
  beam: drawBeam,
  disc: drawDisc,
  flight: drawFlight,
  spring: drawSpring,
  roll: drawRoll,
  cart: drawCart,
  filter: drawFilter,
  rod: drawRod,
  collision: drawCollision,
  conical: drawConical,
  spin: drawSpin,
  chain: drawChain,
};

/** Frame rate of the films, frames per second. */
export const FRAME_RATE = 30;
const SIZE = { width: 480, height: 360 };

/**
 * Draws scene, camera, light and sensor of a film, determined by kind, number and seed.
 *
 * @param uneven how the times of its frames are uneven; default even.
 */
export function drawTake(kind: Kind, number: number, seed: number, uneven?: Uneven): Recording {
  const random = new Random(seed * 100_003 + ALL_KINDS.indexOf(kind) * 1009 + number);
  const scene = SCENES[kind](random);
  const frames = Math.round(scene.seconds * FRAME_RATE);
  const take = {
    scene,
    number,
    seed,
    frames,
    frameRate: FRAME_RATE,
    camera: drawCamera(random, scene, frames),
    shutter: random.between(0.1, 0.6),
    look: drawLook(random, scene),
    quality: Math.round(random.between(17, 23)),
    lost: [],
  };
  if (!uneven) return take;
  const times = drawTimes(uneven, random, { seconds: scene.seconds, rate: FRAME_RATE });
  return { ...take, frames: times.length, times };
}

/** Outline points in every second frame and the last one. */
function pathOf({ outline }: Scene, frames: number): Vector[] {
  const EVERY = 2;
  const numbers = Array.from({ length: Math.ceil(frames / EVERY) }, (_, k) => k * EVERY);
  return [...numbers, frames - 1].flatMap((frame) => outline(frame / FRAME_RATE));
}

function drawCamera(random: Random, scene: Scene, frames: number): Camera {
  const { elevation, azimuth } = scene.view;
  const standpoint = {
    elevation: random.between(...elevation),
    azimuth: random.between(...azimuth),
    fieldOfView: random.between(0.5, 0.9),
    aside: [random.between(-0.03, 0.03), random.between(-0.03, 0.03), 0] as Vector,
  };
  const camera = cameraFor(pathOf(scene, frames), standpoint, SIZE);
  return scene.isHiddenFrom?.(camera.eye) ? drawCamera(random, scene, frames) : camera;
}

function drawLook(random: Random, { depth, outline }: Scene): Look {
  const height = random.between(0.75, 1.25);
  const around = random.between(-1.2, 1.2);
  const shade = (): Color => {
    const grey = random.between(0.25, 0.55);
    return [grey, grey * random.between(0.85, 1.05), grey * random.between(0.75, 1.05)];
  };
  const behind = Math.min(...outline(0).map((point) => point[2]));
  return {
    lamp: [Math.cos(height) * Math.sin(around), Math.sin(height), Math.cos(height) * Math.cos(around)],
    lampSpread: random.between(0.01, 0.08),
    lampIntensity: random.between(2.4, 3.6),
    skyIntensity: random.between(0.9, 1.6),
    floor: shade(),
    wall: shade(),
    wallBehind: depth * random.between(1, 1.6) - Math.min(behind, 0),
    gain: [random.between(0.9, 1.1), 1, random.between(0.9, 1.1)],
    readNoise: random.between(0.001, 0.004),
    shotNoise: random.factor(1e-5, 2e-4),
    seed: Math.floor(random.unit() * 2 ** 31),
  };
}
