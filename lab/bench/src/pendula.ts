// What films of pendula, of a ball that bounces and of an arm tell: a line for each stage of these experiments. Of length
// and gravity together, of which only the ratio shows, the error is that of the ratio; of an arm, errors are those of what
// its film determines, and of what follows from that. `--size 48` of the pictures; `--experiment arm` for one of them.
import arm from '@gradsim/examples/arm';
import bounce from '@gradsim/examples/bounce';
import doublePendulum from '@gradsim/examples/double-pendulum';
import pendulum from '@gradsim/examples/pendulum';
import { estimate } from '@gradsim/optim';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['size', 'experiment']);
const { device } = options;
const settings = { size: String(options.number('size', 48)) };
const all = [pendulum, doublePendulum, bounce, arm];
const wanted = options.text('experiment', '');
const chosen = wanted === '' ? all : all.filter(({ name }) => name === wanted);
if (chosen.length === 0)
  throw new Error(`There is no experiment ${wanted}; there are ${all.map(({ name }) => name).join(', ')}.`);

const relative = (value: number, truth = Number.NaN): number => Math.abs(value / truth - 1);
for (const experiment of chosen) {
  for (const stage of await experiment.stages({ device, settings, log: () => {} })) {
    const began = performance.now();
    const found = await estimate(stage.problem, { device });
    // What a film does not show alone has no error to speak of: what follows from it may have one.
    const shown = Object.entries(found.parameters).filter(([, { determinedBy }]) => determinedBy !== 'nothing');
    const relativeError = Object.fromEntries(
      [...shown, ...Object.entries(found.derived)].map(([name, { estimate: value, truth }]) => [
        name,
        relative(value, truth),
      ]),
    );
    const { length, gravity } = found.parameters;
    const ratio =
      length && gravity ? { ratio: relative(gravity.estimate / length.estimate, gravity.truth! / length.truth!) } : {};
    print({
      bench: 'pendula',
      device: device.kind,
      experiment: experiment.name,
      stage: stage.name,
      relativeError: length && gravity ? ratio : relativeError,
      undetermined: found.undetermined.map(({ note }) => note),
      seconds: (performance.now() - began) / 1000,
    });
  }
}
device.dispose();
