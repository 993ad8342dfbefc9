// NOTICE says what comes along with the published packages, and under which licences.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { noticeFile, noticeText } from '../docs/notice.js';

it('NOTICE is that of what is installed; `npm run notice` renews it', () => {
  expect(readFileSync(noticeFile, 'utf8')).toBe(noticeText());
});

it('nothing of GPL or LGPL comes along without being chosen', () => {
  const [along, chosen] = noticeText().split('Installed only by those who choose to');
  expect(along).not.toMatch(/GPL/);
  expect(along.split('In files of the published packages')[1]).toMatch(/@gltf-transform\/core \d+\.\d+\.\d+: MIT/);
  expect(along).toMatch(/fast-png \d+\.\d+\.\d+: MIT/);
  expect(chosen).toMatch(/@mediabunny\/server .* GPL parts \(x264, x265/);
});
