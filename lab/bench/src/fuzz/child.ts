// Runs cases for `fuzz`, one after another, in a process that may crash or hang with them.
import { Draw } from './draw.ts';
import { judgeCase } from './finding.ts';
import type { Kind } from './kind.ts';
import { bombs } from './kinds/bombs.ts';
import { calls } from './kinds/calls.ts';
import { cameras } from './kinds/cameras.ts';
import { commands } from './kinds/commands.ts';
import { decoders } from './kinds/decoders.ts';
import { films } from './kinds/films.ts';
import { folders } from './kinds/folders.ts';
import { forgeries } from './kinds/forgeries.ts';
import { journals } from './kinds/journals.ts';
import { meshes } from './kinds/meshes.ts';
import { modules } from './kinds/modules.ts';
import { names } from './kinds/names.ts';
import { numbers } from './kinds/numbers.ts';
import { options } from './kinds/options.ts';
import { poses } from './kinds/poses.ts';
import { recorded } from './kinds/recorded.ts';
import { redis } from './kinds/redis.ts';
import { requests } from './kinds/requests.ts';
import { robots } from './kinds/robots.ts';
import { scenes } from './kinds/scenes.ts';
import { specials } from './kinds/specials.ts';
import { studio } from './kinds/studio.ts';
import { tables } from './kinds/tables.ts';
import { tracks } from './kinds/tracks.ts';

const KINDS: readonly Kind[] = [
  ...[meshes, films, scenes, calls, commands],
  ...[requests, journals, modules, folders],
  ...[cameras, poses, tables, tracks, recorded, robots, decoders],
  ...[studio, redis, forgeries, numbers, bombs, specials, names, options],
];

// A promise that fails with nobody to hear it ends programs that caught all errors.
process.on('unhandledRejection', (error) => {
  console.error('unhandled rejection:', error);
  process.exit(70);
});

process.on('message', async ({ kind, seed, n }: { kind: string; seed: number; n: number }) => {
  const drawn = await KINDS.find(({ name }) => name === kind)!.draw(new Draw(seed, n));
  process.send!({ about: drawn.about });
  const came = await drawn.read();
  // What fails late fails before the next case.
  await new Promise((resolve) => setImmediate(resolve));
  process.send!({ result: judgeCase(drawn, came) });
});
process.on('disconnect', () => process.exit());
process.send!({ kinds: KINDS.map(({ name, limit }) => ({ name, limit })) });
