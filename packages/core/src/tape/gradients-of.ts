import type { Query } from '@gradsim/kernel/internal';
import { raisedAlarm } from './checks/alarms.ts';
import type { CompiledRun } from './run/compiled-run.ts';
import { summedOverWorlds } from './values/over-worlds.ts';
import type { Reader } from './values/reader.ts';
import { requestFor, valuesOf } from './values/reading.ts';

/**
 * Query of the gradients by some parameters, without those on which no output depends: null if the run raised an alarm.
 * That numbers are finite is not checked.
 */
export function gradientsOf(
  { compiled, worlds }: CompiledRun,
  reader: Pick<Reader, 'gradient'>,
  parameters: readonly string[],
): Query<ReadonlyMap<string, Float64Array> | null> {
  const alarm = raisedAlarm(compiled);
  const sources = parameters.flatMap((key) => reader.gradient(compiled.fields.field(key)) ?? []);
  return {
    requests: [...sources.map(requestFor), ...alarm.requests],
    conclude: (answers) => {
      if (alarm.conclude(answers.slice(sources.length))) return null;
      return new Map(
        sources.map((source, k) => {
          const { field, copies } = source;
          const gradient = valuesOf(source, answers[k]);
          return [field.key, field.shared ? summedOverWorlds(gradient, copies, worlds) : gradient];
        }),
      );
    },
  };
}
