import type { Simulation } from '@gradsim/core';

/** Results of a forward and a backward run; an error's message in place of a result that cannot be read. */
export async function results(simulation: Simulation): Promise<unknown[]> {
  const { record = [], outputs = [], parameters = [] } = simulation.options;
  const all: unknown[] = [];
  const keep = async (values: Promise<Float64Array>): Promise<void> => {
    all.push(await values.catch((error: Error) => error.message));
  };
  simulation.forward();
  const seeds: Record<string, Float64Array> = {};
  for (const key of outputs) {
    const values = record.includes(key) ? simulation.readFrames(key) : simulation.read(key);
    await keep(values);
    const { length } = await values.catch(() => []);
    seeds[key] = Float64Array.from({ length }, (_, k) => Math.sin(k + 1));
  }
  if (all.some((value) => typeof value === 'string')) return all;
  simulation.backward(seeds);
  for (const key of parameters) await keep(simulation.gradient(key));
  return all;
}
