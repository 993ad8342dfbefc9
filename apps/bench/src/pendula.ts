// What films of pendula tell: the experiments `pendulum` and `double-pendulum`, a line for each of their stages. Of
// length and gravity together, of which only the ratio shows, the error is that of the ratio. `--size 48` of the pictures.
import doublePendulum from '@gradsim/examples/double-pendulum';
import pendulum from '@gradsim/examples/pendulum';
import { estimate } from '@gradsim/optim';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['size']);
const { device } = options;
const settings = { size: String(options.number('size', 48)) };

for (const experiment of [pendulum, doublePendulum]) {
  for (const stage of await experiment.stages({ device, settings, log: () => {} })) {
    const began = performance.now();
    const found = await estimate(stage.problem, { device });
    const values = Object.entries(found.parameters);
    const relative = (value: number, truth: number): number => Math.abs(value / truth - 1);
    const relativeError = Object.fromEntries(
      values.map(([name, { estimate: value, truth }]) => [name, relative(value, truth!)]),
    );
    const { length, gravity } = found.parameters;
    const ratio =
      length && gravity
        ? { ratio: relative(gravity.estimate / length.estimate, gravity.truth! / length.truth!) }
        : {};
    print({
      ...{ bench: 'pendula', device: device.kind, experiment: experiment.name, stage: stage.name },
      relativeError: length && gravity ? ratio : relativeError,
      undetermined: found.undetermined.map(({ note }) => note),
      seconds: (performance.now() - began) / 1000,
    });
  }
}
device.dispose();
