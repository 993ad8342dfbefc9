// Energy of a point that bounces without losses: its mean over 40 heights after some time, over that at the start, by the
// law of contact and by the one before it, taken at the instant. Drops of 1, 5 and 500 static sags, 10 to 80 substeps a
// touch; `--seconds 60`. The last column has a damping ratio of 2 %.
import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { withOldLaw } from './contact-gradients/old-law.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['seconds', 'law']);
const seconds = options.number('seconds', 60);
const law = options.text('law', 'both');

const [GRAVITY, KE, HEIGHTS, FRAME_RATE] = [9.81, 1e4, 40, 20];
const SAG = GRAVITY / KE;
const TOUCH = Math.PI / Math.sqrt(KE);
const DROPS = [1, 5, 500];
const SUBSTEPS = [10, 20, 40, 80];

const device = f64Device();
const [start, ...middle] = [0, 0.9 * seconds, seconds].map((time) => Math.round(time * FRAME_RATE));
const lines = [];
for (const drop of DROPS)
  for (const each of SUBSTEPS)
    lines.push({
      dropInSags: drop,
      substepsATouch: each,
      ratio: await ratioOf(drop, each, 0),
      damped: await ratioOf(drop, each, 0.02),
    });
device.dispose();
if (law === 'old') for (const line of lines) print(line);
else {
  const old = withOldLaw<(typeof lines)[number]>(import.meta.url, ['--law', 'old', '--seconds', String(seconds)]);
  lines.forEach(({ ratio, damped, ...line }, k) => {
    print({
      bench: 'contact-energy',
      seconds,
      ...line,
      energyOverStart: ratio,
      oldLaw: old[k].ratio,
      damped,
      oldLawDamped: old[k].damped,
    });
  });
}

/** Mean energy over the last tenth of the run and all heights, over that at the start; both from the point of rest. */
async function ratioOf(drop: number, each: number, dampingRatio: number): Promise<number> {
  const scene = createScene([particles(), contact()]);
  const particle = scene.add(Particle, { position: [0, 1, 0], mass: 1 });
  scene.attach(particle, contactOf(Particle), { ke: KE, kd: 2 * dampingRatio * Math.sqrt(KE) });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 1 + middle[1],
    frameRate: FRAME_RATE,
    substeps: Math.round(each / (TOUCH * FRAME_RATE)),
    worlds: HEIGHTS,
    record: ['particles.position', 'particles.velocity'],
    onWarning: () => {},
  });
  const heights = Array.from({ length: HEIGHTS }, (_, k) => drop * SAG * (0.9 + (0.2 * k) / HEIGHTS));
  simulation.set(
    'particles.position',
    heights.flatMap((height) => [0, height, 0]),
  );
  simulation.forward();
  const [x, v] = await Promise.all(
    ['particles.position', 'particles.velocity'].map((key) => simulation.readFrames(key)),
  );
  simulation.dispose();
  const dt = 1 / (FRAME_RATE * Math.round(each / (TOUCH * FRAME_RATE)));
  const energy = (frame: number, world: number): number => {
    const at = 3 * (frame * HEIGHTS + world) + 1;
    const y = x[at];
    // Velocities are those of half a substep before.
    const speed = v[at] + (dt / 2) * (frame === 0 ? 0 : Math.max(0, -KE * y) - GRAVITY);
    return speed ** 2 / 2 + GRAVITY * (y + SAG / 2) + (y < 0 ? (KE * y * y) / 2 : 0);
  };
  const meanOf = (from: number, to: number): number => {
    let sum = 0;
    for (let frame = from; frame <= to; frame++)
      for (let world = 0; world < HEIGHTS; world++) sum += energy(frame, world);
    return sum / ((to - from + 1) * HEIGHTS);
  };
  return meanOf(middle[0], middle[1]) / meanOf(start, start);
}
