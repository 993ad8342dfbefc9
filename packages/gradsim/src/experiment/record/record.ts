import { createHash } from 'node:crypto';
import { mean } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import type { ArrayEstimate, Estimate, EstimateOptions } from '@gradsim/optim';
import { filmFiles } from '@gradsim/video';
import { hashOfFile } from '../../files/hash-of-file.ts';
import type { FileRecord } from '../../modules/sources.ts';
import { resultFile } from '../start-from.ts';

/** Data needed to repeat an estimation with identical results. */
export interface RepeatRecord {
  /** Command line that repeats the run. */
  readonly command: string;
  readonly seed: number;
  readonly device: string;
  /** Description of the device: its engine or adapter. */
  readonly deviceDescription: string;
  /** Options that the experiment and the command line set; others have their defaults. */
  readonly options: EstimateOptions;
  /** Settings given by `--set`, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Experiment as named on the command line. */
  readonly experiment: FileRecord;
  /**
   * Modules that the experiment imports by path, directly or indirectly; their paths are relative to the experiment's
   * folder.
   */
  readonly modules: readonly FileRecord[];
  /** File and hash of the film given by `--video`. */
  readonly video?: FileRecord;
  /** File and hash of the earlier result given by `--from`. */
  readonly from?: FileRecord;
  /**
   * Versions of Node, of this command, and of every package in use: those that the experiment's modules import, the
   * core and optim packages that run it, and all their installed dependencies and peers.
   */
  readonly versions: Readonly<Record<string, string>>;
  /** Operating system and processor. */
  readonly platform: string;
}

/** Summary of the estimate of an array parameter. */
export interface ArraySummary {
  /** Numbers of: frames or time windows, elements, components. */
  readonly shape: ArrayEstimate['shape'];
  readonly unit: string;
  readonly least: number;
  readonly mean: number;
  readonly largest: number;
  /** Root mean square error of the values; absent if the truth is unknown. */
  readonly error?: number;
}

/** Result of one stage: a line of `gradsim estimate --json`. */
export interface StageRecord
  extends Pick<
    Estimate,
    | 'verdict'
    | 'goal'
    | 'fit'
    | 'verification'
    | 'parameters'
    | 'given'
    | 'derived'
    | 'loss'
    | 'parts'
    | 'residual'
    | 'withoutErrors'
    | 'undetermined'
    | 'leastDetermined'
    | 'unmoved'
    | 'method'
    | 'methodReason'
    | 'stopped'
  > {
  readonly experiment: string;
  readonly stage: string;
  readonly device: string;
  /** Total duration, including compilation, s. */
  readonly seconds: number;
  readonly compileSeconds: number;
  /** Summaries of estimated array parameters; `result.json` holds all their values. */
  readonly arrays: Readonly<Record<string, ArraySummary>>;
  readonly iterations: number;
  readonly notes: readonly string[];
  readonly repeat: RepeatRecord;
}

/** JSON line of a stage's result. */
export function stageRecord(
  names: { readonly experiment: string; readonly stage: string },
  estimate: Estimate,
  notes: readonly string[],
  repeat: RepeatRecord,
): StageRecord {
  const { compile, run } = estimate.seconds;
  return {
    ...names,
    verdict: estimate.verdict,
    ...(estimate.goal ? { goal: estimate.goal } : {}),
    fit: estimate.fit,
    verification: estimate.verification,
    device: repeat.device,
    seconds: compile + run,
    compileSeconds: compile,
    parameters: estimate.parameters,
    given: estimate.given,
    derived: estimate.derived,
    arrays: Object.fromEntries(Object.entries(estimate.arrays).map(([name, array]) => [name, summaryOf(array)])),
    loss: estimate.loss,
    parts: estimate.parts,
    residual: estimate.residual,
    ...(estimate.withoutErrors === undefined ? {} : { withoutErrors: estimate.withoutErrors }),
    undetermined: estimate.undetermined,
    leastDetermined: estimate.leastDetermined,
    unmoved: estimate.unmoved,
    method: estimate.method,
    methodReason: estimate.methodReason,
    iterations: estimate.history.at(-1)?.iteration ?? 0,
    stopped: estimate.stopped,
    notes,
    repeat: { ...repeat, seed: estimate.seed },
  };
}

function summaryOf({ estimate, shape, unit, truth }: ArrayEstimate): ArraySummary {
  return {
    shape,
    unit,
    mean: mean(estimate),
    least: estimate.reduce((a, b) => Math.min(a, b)),
    largest: estimate.reduce((a, b) => Math.max(a, b)),
    ...(truth ? { error: Math.sqrt(mean(estimate.map((value, k) => (value - truth[k]) ** 2))) } : {}),
  };
}

/** Options of a run from the command line. */
export interface EstimateRequest {
  /** Experiment as given: a file or a name. */
  readonly experiment: string;
  readonly video?: string;
  readonly seed?: number;
  readonly iterations?: number;
  readonly starts?: number;
  /** Result file or folder of an earlier run, at whose estimates the search starts. */
  readonly from?: string;
  readonly intervals?: 'profile' | 'bootstrap';
  readonly verify?: true;
  readonly settings: Readonly<Record<string, string>>;
  /** Further experiments, and the unknowns that all of them share. */
  readonly others?: readonly string[];
  readonly shared?: readonly string[];
}

/** Data that all stages of a run share. */
export type SharedRecord = Omit<RepeatRecord, 'options' | 'seed' | 'experiment' | 'modules' | 'versions'>;

/**
 * Collects the data that all stages of a run share; each stage adds its problem's options, and the hashes of the
 * sources loaded by its end.
 */
export async function sharedRecord(request: EstimateRequest, device: Device): Promise<SharedRecord> {
  return {
    command: repeatCommand(request, device.kind),
    device: device.kind,
    deviceDescription: device.description,
    settings: request.settings,
    ...(request.video ? { video: { file: request.video, sha256: await hashOfFilm(request.video) } } : {}),
    ...(request.from ? { from: { file: request.from, sha256: await hashOfFile(resultFile(request.from)) } } : {}),
    platform: `${process.platform} ${process.arch}`,
  };
}

function repeatCommand(
  { experiment, settings, others = [], shared = [], ...options }: EstimateRequest,
  device: string,
): string {
  const given = Object.entries({ ...options, device }).filter(([, value]) => value !== undefined);
  return [
    'gradsim estimate',
    ...[experiment, ...others].map(quote),
    ...shared.map((name) => `--shared ${quote(name)}`),
    ...given.map(([name, value]) => (value === true ? `--${name}` : `--${name} ${quote(String(value))}`)),
    ...Object.entries(settings).map(([name, value]) => `--set ${quote(`${name}=${value}`)}`),
  ].join(' ');
}

/** Quotes text as one word of a shell command. */
export const quote = (text: string): string =>
  /^[\w./=:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** SHA-256 of a film; for a sequence of images, of the hashes of its files in order. */
export async function hashOfFilm(address: string): Promise<string> {
  const files = await filmFiles(address);
  if (files.length === 1 && files[0] === address) return hashOfFile(address);
  const hash = createHash('sha256');
  for (const file of files) hash.update(await hashOfFile(file));
  return hash.digest('hex');
}
