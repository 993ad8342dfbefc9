import { textOf } from '@gradsim/base/text';
import type { FileToOpen } from '../recorded.ts';

/** Path of the description of a data set from one of its files: data/chunk-000/file-000.parquet. */
const INFO_PATHS = ['../../meta/info.json', '../meta/info.json', 'meta/info.json', 'info.json'];

/** Names of the numbers of columns, by column, as `meta/info.json` has them; none where it is not there. */
export async function namesOf({ readRelative: beside }: FileToOpen): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const path of beside ? INFO_PATHS : []) {
    const bytes = await beside!(path);
    if (!bytes) continue;
    let info: unknown;
    try {
      info = JSON.parse(textOf(bytes));
    } catch {
      // Without names columns are numbered.
      continue;
    }
    for (const [column, feature] of Object.entries(recordOf(recordOf(info).features))) {
      const { names } = recordOf(feature);
      // A list, or one under a name of its own: { "motors": [...] }.
      const list = Array.isArray(names) ? names : Object.values(recordOf(names))[0];
      if (Array.isArray(list) && list.every((name) => typeof name === 'string')) found.set(column, list);
    }
    return found;
  }
  return found;
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Quantities of columns, by the last word of their names. */
const CHANNELS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[._/])(?:velocity|qvel|velocities)$/, 'velocity'],
  [/(?:^|[._/])(?:effort|torque|torques|efforts)$/, 'effort'],
  [/(?:^|[._/])(?:current|currents)$/, 'current'],
  [/^observation\.(?:state|qpos|position)$/, 'position'],
];
/** Ends of names that say themselves what they hold. */
const QUANTITY_SUFFIX =
  /(?:^|[._/ ])(?:pos|position|q|angle|vel|velocity|effort|torque|tau|current|x|y|z|qx|qy|qz|qw)$/i;

/** Titles of a column with one number a row, or `count`. */
export function titlesOf(
  column: string,
  count: number | undefined,
  names: readonly string[] | undefined,
  isOfEpisodes: boolean,
): string[] {
  if (count === undefined) return [isOfEpisodes && column === 'timestamp' ? 'timestamp [s]' : column];
  const channel = isOfEpisodes ? CHANNELS.find(([word]) => word.test(column))?.[1] : undefined;
  return Array.from({ length: count }, (_, k) => {
    const own = names?.[k];
    if (channel === undefined)
      return own === undefined ? `${column}${isOfEpisodes ? '/' : ''}${k}` : `${column}/${own}`;
    if (own === undefined) return `${channel}${k}`;
    return QUANTITY_SUFFIX.test(own) && channel === 'position' ? own : `${own}/${channel}`;
  });
}
