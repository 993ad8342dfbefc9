// Gains of currents from a known payload: arms of two joints by a simulator that shares no code with the packages, all joints
// at once and one at a time by turns. A JSON line an arm, and a summary. `--count 6`, `--seed 1`.
import { drawFrom } from './robots/draw.ts';
import { payloadTrial } from './robots/payload.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['count', 'seed']);
options.device.dispose();
const [count, seed] = [options.number('count', 6), options.number('seed', 1)];
const errors: number[] = [];
const bars: number[] = [];
const bodies: number[] = [];
for (let k = 0; k < count; k++) {
  const isOneByOne = k % 2 === 1;
  const { gains, told } = await payloadTrial(drawFrom(1000 * seed + k), isOneByOne);
  const ofGains = told.sensors.map(({ estimate, standardError }, j) => ({
    error: Math.abs(estimate / gains[j] - 1),
    bars: Math.abs(estimate - gains[j]) / standardError,
  }));
  errors.push(...ofGains.map(({ error }) => error));
  bars.push(...ofGains.map((one) => one.bars));
  bodies.push(
    ...told.estimates.map(({ estimate, truth, standardError }) => Math.abs(estimate - truth) / standardError),
  );
  print({ bench: 'robot-payload', arm: k, isOneByOne, gains, trusted: told.trusted, ofGains });
}
const share = (all: readonly number[], most: number): number => all.filter((x) => x <= most).length / all.length;
print({
  bench: 'robot-payload',
  summary: true,
  seed,
  count,
  greatestErrorOfGains: Math.max(...errors),
  gainsWithinTwoBars: share(bars, 2),
  othersWithinTwoBars: share(bodies, 2),
});
