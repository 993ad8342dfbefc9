import { GradsimError } from '@gradsim/base';
import type { Cycle } from '../../model/phases.ts';
import type { Fields } from './fields.ts';
import type { Steps } from './step.ts';
import { allPasses, allSteps, madeBy } from './step.ts';
import type { Version } from './versions.ts';
import { endOfRound } from './versions.ts';

/** Role of a field in a run: who writes it, when, and how long its values live. */
export type Role =
  /** Input: never written, a parameter or a constant. */
  | 'input'
  /** Derived: computed once, in setup. */
  | 'derived'
  /** State: carried from substep to substep. */
  | 'state'
  /** Found: computed in phase search, and kept until the next search. */
  | 'found'
  /** Alarm: raised by kernels and kept to the end of the run; see `Model.addAlarm`. */
  | 'alarm'
  /** Scratch: computed anew in every substep, or every frame. */
  | 'scratch'
  | 'frame';

/** Finds the role of every field. @throws for fields written at several rates, or read before they are written. */
export function rolesOf(fields: Fields, steps: Steps): Map<string, Role> {
  const roles = new Map<string, Role>();
  const written = new Map<Cycle, Set<string>>();
  const read = new Map<Cycle, Set<string>>();
  const found = new Map<Cycle, Set<string>>();
  for (const cycle of Object.keys(steps) as Cycle[]) {
    const passes = allPasses(steps[cycle]);
    written.set(
      cycle,
      new Set(
        allSteps(steps[cycle])
          .flatMap(madeBy)
          .map((v) => v.field.key),
      ),
    );
    const versions = passes.flatMap((step) => [...step.reads.values()]);
    const entries = allSteps(steps[cycle]).flatMap((s) =>
      s.kind === 'loop' ? s.carried.flatMap(({ versionBefore }) => versionBefore ?? []) : [],
    );
    read.set(cycle, new Set(versions.map((v) => v.field.key)));
    found.set(
      cycle,
      new Set([...versions, ...entries].filter((v) => v.number === 0 && !v.loop).map((v) => v.field.key)),
    );
  }
  for (const field of fields.values()) {
    const { key } = field;
    const [setup, search, physics, frame] = (['setup', 'search', 'physics', 'frame'] as const).map((c) =>
      written.get(c)!.has(key),
    );
    const readAtStart = (cycle: Cycle): boolean => found.get(cycle)!.has(key);
    if (field.alarm) {
      roles.set(key, 'alarm');
      continue;
    }
    if (search) {
      checkFound(key, { setup, physics, frame, readAtStart: readAtStart('search') }, read);
      roles.set(key, 'found');
      continue;
    }
    if (physics && frame)
      throw new GradsimError('core/two-rates', `${key} is written at the physics rate and at the frame rate.`, {
        field: key,
        hint: 'Use two fields.',
      });
    if (frame && (setup || read.get('physics')!.has(key))) {
      throw new GradsimError(
        'core/two-rates',
        `${key} is written at the frame rate, but read or written in setup or at the physics rate.`,
        { field: key },
      );
    }
    if (frame && readAtStart('frame')) {
      throw new GradsimError(
        'core/read-before-write',
        `${key} is read at the frame rate before any pass has written it; frame fields are made anew in every frame.`,
        { field: key },
      );
    }
    if (frame) roles.set(key, 'frame');
    else if (physics) {
      const kept =
        field.values !== undefined ||
        setup ||
        (['search', 'physics', 'frame'] as const).some((cycle) => readAtStart(cycle));
      if (kept && field.isComputed && !setup) {
        throw new GradsimError(
          'core/no-start-value',
          `${key} is made by the substeps but read before the first one (at frame 0, or in phase search), where nothing has written it.`,
          { field: key, hint: 'Give it a value to start from: add the field with `fill`, or write it in setup.' },
        );
      }
      roles.set(key, kept ? 'state' : 'scratch');
    } else roles.set(key, setup ? 'derived' : 'input');
  }
  return roles;
}

function checkFound(
  key: string,
  is: { setup: boolean; physics: boolean; frame: boolean; readAtStart: boolean },
  read: ReadonlyMap<Cycle, ReadonlySet<string>>,
): void {
  if (is.setup || is.physics || is.frame)
    throw new GradsimError('core/two-phases', `${key} is written in phase search and in another.`, {
      field: key,
      hint: 'Use two fields.',
    });
  if (is.readAtStart)
    throw new GradsimError(
      'core/read-before-write',
      `${key} is read in phase search before any pass has written it; every search starts anew from the state.`,
      { field: key },
    );
  for (const cycle of ['setup', 'frame'] as const) {
    if (read.get(cycle)!.has(key))
      throw new GradsimError(
        'core/found-by-search',
        `${key} is made in phase search, so only passes at the physics rate can read it.`,
        { field: key },
      );
  }
}

/**
 * Returns whether a version is the unwritten one with which a cycle starts, of a field that each cycle creates anew.
 */
export const isUnwritten = ({ field, cycle, loop, number }: Version, roles: ReadonlyMap<string, Role>): boolean => {
  if (number !== 0) return false;
  if (loop) return endOfRound({ field, cycle, loop, number }) === null;
  const role = roles.get(field.key);
  return role === 'scratch' || role === 'frame' || (role === 'found' && cycle === 'search');
};
