import type { Device } from '@gradsim/core';
import type { Estimate, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { SimulationCount } from './simulation-count.ts';

/** Estimate of the unknowns of one instance by one method. */
export interface Measured {
  /** Values by unknown. */
  readonly values: Readonly<Record<string, number>>;
  /** Standard errors by unknown, and the verdict; null of methods that have none. */
  readonly sureness: Sureness | null;
  /** Simulations that the search took, whole films; null where they are not counted. */
  readonly simulations: number | null;
  /** Processor time, s. */
  readonly seconds: number;
}

/** What an estimate says of itself. */
export interface Sureness {
  /** By unknown; null where nothing determines it. */
  readonly standardErrors: Readonly<Record<string, number | null>>;
  readonly trusted: boolean;
}

/**
 * Estimates a problem.
 *
 * ```ts
 * const { values, sureness } = await measure(problem, device);
 * ```
 */
export async function measure(problem: Problem, device: Device): Promise<Measured & { readonly simulations: number }> {
  const journal = new SimulationCount(problem.parameters!.length);
  const began = process.cpuUsage();
  const { parameters, verdict } = await estimate(problem, { device, journal });
  const each = <T>(of: (parameter: Estimate['parameters'][string]) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, of(parameter)]));
  return {
    values: each((parameter) => parameter.estimate),
    sureness: { standardErrors: each(({ standardError }) => standardError), trusted: verdict.trusted },
    simulations: journal.simulations,
    seconds: secondsSince(began),
  };
}

/** Processor time since then, s. */
export function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}
