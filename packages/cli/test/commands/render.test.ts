import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

it('gradsim render writes a film, or PNGs into a folder', async () => {
  const folder = temporaryFolder();
  const film = join(folder, 'mote.gif');
  const { code, stderr } = await gradsim(['render', FALLING_MOTE, '--device', 'cpu', '--out', film]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: [`Wrote 24 frames of 24 x 24 to ${film}.`] });
  expect(readFileSync(film).subarray(0, 6).toString()).toBe('GIF89a');
  await gradsim(['render', FALLING_MOTE, '--device', 'cpu', '--out', join(folder, 'frames')]);
  expect(readdirSync(join(folder, 'frames'))).toHaveLength(24);
});

it('refuses what is there already, a format that is none, and an experiment that cannot be rendered', async () => {
  const folder = temporaryFolder();
  const refusal = async (file: string, out: string): Promise<string> => {
    const { code, stderr } = await gradsim(['render', file, '--out', join(folder, out)]);
    expect(code).toBe(1);
    return stderr.join('\n');
  };
  writeFileSync(join(folder, 'old.gif'), 'old');
  writeFileSync(
    join(folder, 'plain.ts'),
    'export default { name: "plain", description: "", stages: () => [] };',
  );
  expect(await refusal(FALLING_MOTE, 'old.gif')).toMatch(/old\.gif is there already; .*--force/);
  expect(await refusal(FALLING_MOTE, 'film.avi')).toMatch(
    /film\.avi is no film that can be written: end it in \.mp4/,
  );
  expect(await refusal(join(folder, 'plain.ts'), 'plain.gif')).toMatch(/"plain" has no render function/);
  expect(readdirSync(folder).sort()).toEqual(['old.gif', 'plain.ts']);
});
