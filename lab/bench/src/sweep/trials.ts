// Trials of so many milliseconds of work each, whose results are the same numbers in every process.
import { defineStudy, grid, seeds } from 'gradsim/study';

export default defineStudy({
  trials: ({ count = '300', milliseconds = '0', idle = '0' }) =>
    grid({ seed: seeds(Number(count)), milliseconds: [Number(milliseconds)], idle: [Number(idle)] }),
  run: async ({ seed, milliseconds, idle }) => {
    if (idle > 0) await new Promise((resolve) => setTimeout(resolve, idle));
    let value = seed;
    const from = process.cpuUsage();
    const spent = (): number => process.cpuUsage(from).user + process.cpuUsage(from).system;
    while (spent() < 1000 * milliseconds) for (let k = 0; k < 1000; k++) Math.sin(k);
    for (let k = 0; k < 1000; k++) value = Math.sin(value + k) * 1.1;
    return { value };
  },
});
