// Whether a sweep over a queue has every result once, with the same bits as in process, while workers, the coordinator and Redis are
// ended, and the disk of the results fills (`--seed` of the moments); and what a trial costs beyond its own work. `--part chaos|overhead` (default both), `--trials`,
// `--idle` milliseconds of a trial. Needs redis-server; all traffic stays on this machine.
import { parseArgs } from 'node:util';
import { print, wholeNumber } from './support/options.ts';
import { queueInChaos } from './sweep/queue-chaos.ts';
import { costOnQueue } from './sweep/queue-cost.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    trials: { type: 'string', default: '300' },
    idle: { type: 'string', default: '300' },
    part: { type: 'string' },
  },
});
let isGood = true;
if (values.part !== 'overhead') {
  const [trials, idle] = [wholeNumber('trials', values.trials, 10), wholeNumber('idle', values.idle, 1)];
  const chaos = await queueInChaos({
    trials,
    idle,
    coordinators: 5,
    restarts: true,
    fullDisks: 3,
    seed: Number(values.seed),
  });
  print({ bench: 'sweep-chaos', part: 'chaos', seed: Number(values.seed), ...chaos });
  isGood = chaos.lost + chaos.twice + chaos.differing === 0;
}
if (values.part !== 'chaos') {
  const cost = await costOnQueue();
  print({ bench: 'sweep-chaos', part: 'overhead', ...cost });
  isGood &&= cost.processorMillisecondsATrial < 8;
}
process.exitCode = isGood ? 0 : 1;
