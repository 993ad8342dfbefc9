import type { Simulation } from '../tape/simulation.ts';
import { compiledOf } from '../tape/simulation.ts';

/**
 * Makes a function that runs the first stage of a program by itself, to be timed: `frame` renders one, `growth` looks once at
 * how adjoints grow. Null where the model has nothing for it to do, or it is a loop.
 */
export function stageRunner(simulation: Simulation, program: 'frame' | 'growth'): (() => void) | null {
  const { executor, registers, stages } = compiledOf(simulation);
  const [stage] = stages[program];
  if (!stage || !('program' in stage)) return null;
  const rows = new Uint32Array(registers.length);
  return () => executor.run(stage.program, rows);
}
