// What is packed has no TypeScript sources, to which the condition `@gradsim/source` leads in this repository: a published
// package does without the condition.
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
    /** @param {Record<string, unknown>} manifest */
    beforePacking: ({ exports, imports, ...manifest }) => ({
      ...manifest,
      ...(exports ? { exports: withoutCondition(exports) } : {}),
      ...(imports ? { imports: withoutCondition(imports) } : {}),
    }),
  },
};
