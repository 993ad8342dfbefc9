import { GradsimError } from '@gradsim/base';
import type { QuerySteps } from '@gradsim/kernel/internal';
import { programsIn } from '../../compile/work.ts';
import type { SeedWriter } from '../gradient/seeds.ts';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { BackwardItem, ProgramRun, Runner } from '../run/runner.ts';
import { nonFiniteOf } from './first-non-finite.ts';

/**
 * Locates where an adjoint of a run with finite values became NaN or infinite: reruns the backward pass to find the
 * stretch of substeps, then reruns that stretch pass by pass. Returns the error to throw; it names the pass, field,
 * element, world and substep.
 */
export function* locateInDerivative(
  { compiled, worlds }: CompiledRun,
  runner: Runner,
  seeds: SeedWriter,
  problem: string,
): QuerySteps<Error> {
  for (const _ of runner.forward(runner.framesTaken));
  const begin = (): Generator<BackwardItem> => {
    runner.recallEnd();
    runner.clearAdjoints();
    seeds.writeAgain();
    return runner.runsBack();
  };

  // Stretches of the backward pass that end with finite adjoints; all of them if the part after the last one breaks
  // them.
  let finite = 0;
  for (const run of begin()) {
    if (run.kind === 'program') runner.runProgram(run);
    else if (yield* areFinite(runner.adjointsNow())) finite++;
    else break;
  }

  let stretch = 0;
  for (const run of begin()) {
    if (run.kind === 'stretch') stretch++;
    else if (stretch < finite) runner.runProgram(run);
    else {
      const found = yield* passByPass(run);
      if (found) return found;
    }
  }
  return new GradsimError(
    'core/derivative-not-finite',
    `${problem}, though every value of the forward run is finite: a derivative overflowed, and did not when it was run again.`,
  );

  function* areFinite(places: ReturnType<Runner['adjointsNow']>): QuerySteps<boolean> {
    const answers = yield places.map(({ offset, words }) => ({ arena: 'f32', from: offset, words }) as const);
    return answers.every((words) => words.every(Number.isFinite));
  }

  function* passByPass(run: ProgramRun): QuerySteps<Error | null> {
    const jobs = new Map(programsIn(compiled.stages[run.program]).map((stage) => [stage.program, stage.jobs]));
    for (const { part, row } of runner.rowsOf(run)) {
      for (const [k, job] of jobs.get(part)!.entries()) {
        compiled.executor.run(part, row, k);
        const found = yield* nonFiniteOf(compiled, job, row);
        if (!found) continue;
        const { name, field, element, component, world } = found;
        return new GradsimError(
          'core/derivative-not-finite',
          `${problem}: every value of the forward run is finite, and a derivative overflowed. The first that is not finite is ${name}, component ${component}${worlds > 1 ? `, world ${world}` : ''}, given by ${job.label} ${momentOf(run, row)}.`,
          {
            pass: job.label,
            field,
            element,
            hint: 'Check that pass for square roots, divisions or logarithms at the edge of their range.',
          },
        );
      }
    }
    return null;
  }

  function momentOf({ program }: ProgramRun, row: Uint32Array): string {
    const register = (name: string): number => row[compiled.registers.indexOf(name)];
    switch (program) {
      case 'frame':
      case 'frameReverse':
        return `in frame ${register('frame')}`;
      case 'setup':
      case 'setupReverse':
        return 'in setup';
      case 'final':
        return 'at the end of the run back';
      default:
        return `in substep ${register('substep')}`;
    }
  }
}
