// What is packed has no TypeScript sources, to which the condition `@gradsim/source` leads in this repository: a published
// package does without the condition. It names the repository that it comes from, which npm compares with the workflow that
// publishes: GRADSIM_REPOSITORY, which workflows set. And its peers among our packages are of one minor version, that of today:
// in this repository they are `0.x`, since changesets makes a major version of a package whose peer leaves its range.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const CONDITION = '@gradsim/source';

/** @param {unknown} value */
const withoutCondition = (value) =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== CONDITION)
          .map(([name, each]) => [name, withoutCondition(each)]),
      )
    : value;

/** @param {string} name */
const folderOf = (name) => `packages/${name.replace(/^@gradsim\//, '')}`;

/** @param {string} name */
const versionOf = (name) => JSON.parse(readFileSync(join(__dirname, folderOf(name), 'package.json'), 'utf8')).version;

/** @param {Record<string, string>} peers */
const ofOneMinor = (peers) =>
  Object.fromEntries(
    Object.entries(peers).map(([name, range]) => [name, name.startsWith('@gradsim/') ? `^${versionOf(name)}` : range]),
  );

module.exports = {
  hooks: {
    /** @param {Record<string, unknown> & { name: string, peerDependencies?: Record<string, string> }} manifest */
    beforePacking: ({ exports, imports, peerDependencies, ...manifest }) => ({
      ...manifest,
      ...(process.env.GRADSIM_REPOSITORY
        ? {
            repository: {
              type: 'git',
              url: `git+${process.env.GRADSIM_REPOSITORY}.git`,
              directory: folderOf(manifest.name),
            },
          }
        : {}),
      ...(exports ? { exports: withoutCondition(exports) } : {}),
      ...(imports ? { imports: withoutCondition(imports) } : {}),
      ...(peerDependencies ? { peerDependencies: ofOneMinor(peerDependencies) } : {}),
    }),
  },
};
