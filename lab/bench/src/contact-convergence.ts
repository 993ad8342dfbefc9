// Whether derivatives through contact tend to those of the continuous motion: particles and a ball that bounce, compared
// with the closed form, and a box that lands on its corner, against much shorter substeps. A line for each derivative
// with its relative errors, the substep halved six times, and the order in the substep that they show.
import { ballCase, boxCase, convergence, heldCase, particleCase } from './contact-convergence/cases.ts';
import { benchOptions, print } from './support/options.ts';

const { device } = await benchOptions([], 'f64');
for (const of of [particleCase(), heldCase(), ballCase(), boxCase()]) {
  const { name, seconds, substeps } = of;
  for (const line of await convergence(of, device))
    print({ bench: 'contact-convergence', device: device.kind, case: name, dt: seconds / substeps, ...line });
}
device.dispose();
