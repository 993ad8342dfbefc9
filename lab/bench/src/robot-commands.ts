// Gains, friction and armature of hobby arms from commands and positions alone, by a simulator that shares no code with the
// packages. A JSON line an arm, and a summary. `--count 6`, `--seed 1`, `--of velocity` of commanded velocities.
import { drawFrom } from './robots/draw.ts';
import { hobbyTrial } from './robots/hobby.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['count', 'seed', 'of']);
options.device.dispose();
const [count, seed] = [options.number('count', 6), options.number('seed', 1)];
const isOfRates = options.text('of', 'position') === 'velocity';
const all: number[] = [];
for (let k = 0; k < count; k++) {
  const { servo, told } = await hobbyTrial(drawFrom(1000 * seed + k), isOfRates ? 'velocity' : 'position');
  const gains = told.sensors.slice(0, 2).map(({ estimate, standardError }, j) => ({
    error: estimate / (isOfRates ? servo.kd : servo.kp)[j] - 1,
    bars: (estimate - (isOfRates ? servo.kd : servo.kp)[j]) / standardError,
  }));
  const others = told.estimates.map(({ name, estimate, truth, standardError }) => ({
    name,
    error: estimate - truth,
    bars: (estimate - truth) / standardError,
  }));
  all.push(...gains.map(({ bars }) => bars), ...others.map(({ bars }) => bars));
  print({ bench: 'robot-commands', arm: k, servo, trusted: told.trusted, gains, others, delay: told.delay });
}
print({
  bench: 'robot-commands',
  summary: true,
  seed,
  count,
  withinTwoBars: all.filter((x) => Math.abs(x) <= 2).length / all.length,
  withinFourBars: all.filter((x) => Math.abs(x) <= 4).length / all.length,
});
