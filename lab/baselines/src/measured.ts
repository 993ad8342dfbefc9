import type { Device } from '@gradsim/core';
import type { Estimate, Finding, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { SimulationCount } from './simulation-count.ts';

/** Estimate of the unknowns of one instance by one method. */
export interface MeasuredEstimate {
  /** Estimated values by unknown. */
  readonly values: Readonly<Record<string, number>>;
  /** Standard errors and verdict; null for methods that give none. */
  readonly sureness: ErrorsAndVerdict | null;
  /** Number of simulations of the search, in whole films; null if they are not counted. */
  readonly simulations: number | null;
  /** Processor time, s. */
  readonly seconds: number;
}

/** Uncertainty that an estimate reports. */
export interface ErrorsAndVerdict {
  /** Standard errors by unknown; null if nothing determines the unknown. */
  readonly standardErrors: Readonly<Record<string, number | null>>;
  readonly trusted: boolean;
  /** Kinds of the verdict's findings, critical ones first. */
  readonly findings: readonly Finding['kind'][];
}

/**
 * Runs an estimation and measures it.
 *
 * ```ts
 * const { values, sureness } = await measure(problem, device);
 * ```
 */
export async function measure(
  problem: Problem,
  device: Device,
): Promise<MeasuredEstimate & { readonly simulations: number }> {
  const journal = new SimulationCount(problem.parameters!.length);
  const began = process.cpuUsage();
  const { parameters, verdict } = await estimate(problem, { device, journal });
  const each = <T>(of: (parameter: Estimate['parameters'][string]) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, of(parameter)]));
  return {
    values: each((parameter) => parameter.estimate),
    sureness: {
      standardErrors: each(({ standardError }) => standardError),
      trusted: verdict.trusted,
      findings: verdict.findings.map(({ kind }) => kind),
    },
    simulations: journal.simulations,
    seconds: secondsSince(began),
  };
}

/** Processor time of this process since a measurement by `process.cpuUsage()`, or without one since its start, s. */
export function secondsSince(began?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}
