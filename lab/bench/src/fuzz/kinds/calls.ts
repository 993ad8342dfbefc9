import type { Draw } from '../draw.ts';
import { type Case, type Kind, outcomeOf, WronglyAccepted } from '../kind.ts';
import { drawFunctionCall } from '../write/functions.ts';
import { drawnProblem } from '../write/problems.ts';
import { drawnOptions, type OpenedRun, openRun } from '../write/runs.ts';
import { drawnCalls } from '../write/valid-calls.ts';
import { wrongCall } from '../write/wrong-calls.ts';

/**
 * Series of valid calls of simulations, estimations and functions with options, some with an invalid call at the end.
 */
export const calls: Kind = { name: 'calls', limit: 30, draw };

async function draw(random: Draw): Promise<Case> {
  if (random.chance(0.3)) return drawnProblem(random);
  if (random.chance(0.3)) return drawFunctionCall(random);
  const drawn = drawnOptions(random);
  const before = drawnCalls(drawn, random);
  const series = before.calls.map(({ about }) => about).join(', ') || 'nothing';
  const valid = async (): Promise<OpenedRun> => {
    const session = await openRun(drawn);
    for (const { about, run } of before.calls)
      try {
        await run(session);
      } catch (error) {
        throw new WronglyAccepted(`${about} fails in the midst of valid calls: ${(error as Error).message}`);
      }
    return session;
  };
  if (random.chance(0.35))
    return {
      about: `${drawn.about}: ${series}`,
      expected: 'valid',
      read: () =>
        outcomeOf(async () => {
          const { simulation } = await valid();
          simulation.dispose();
          return true;
        }),
    };
  const wrong = wrongCall(drawn, before, random);
  return {
    about: `${drawn.about}: ${series}; then ${wrong.about}`,
    expected: 'refused',
    names: wrong.names,
    read: () =>
      outcomeOf(async () => {
        const session = await valid();
        try {
          await wrong.run(session);
        } catch (error) {
          await stillRuns(session, wrong.isTheEnd);
          throw error;
        }
        return false;
      }),
  };
}

/** Checks that the simulation still runs after a refused call. */
async function stillRuns({ simulation, subject }: OpenedRun, isTheEnd = false): Promise<void> {
  if (!isTheEnd) {
    try {
      simulation.forward();
      await simulation.read(subject.states[0]);
    } catch (error) {
      throw new WronglyAccepted(`the simulation runs no more after a refusal: ${(error as Error).message}`);
    }
  }
  simulation.dispose();
}
