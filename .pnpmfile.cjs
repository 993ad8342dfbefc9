// What is packed has no TypeScript sources, to which the condition `@gradsim/source` leads in this repository: a published
// package does without the condition. And it names the repository that it comes from, which npm compares with the workflow that
// publishes: GRADSIM_REPOSITORY, which workflows set.
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

module.exports = {
  hooks: {
    /** @param {Record<string, unknown> & { name: string }} manifest */
    beforePacking: ({ exports, imports, ...manifest }) => ({
      ...manifest,
      ...(process.env.GRADSIM_REPOSITORY
        ? {
            repository: {
              type: 'git',
              url: `git+${process.env.GRADSIM_REPOSITORY}.git`,
              directory: `packages/${manifest.name.replace(/^@gradsim\//, '')}`,
            },
          }
        : {}),
      ...(exports ? { exports: withoutCondition(exports) } : {}),
      ...(imports ? { imports: withoutCondition(imports) } : {}),
    }),
  },
};
