// Public surface of the published packages: docs/reference/api/NAME.md has each export with its signature, from the built
// declarations. `npm run api` writes the pages; a test compares them with what is built.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { publishedPackages } from '../packages.js';
import { root } from '../root.js';
import { orExit, setUp } from '../setup.js';

/** @typedef {typeof import('../../docs/node_modules/typescript/lib/typescript.js')} Compiler */
/** The compiler of typedoc, which has an API. @type {Compiler} */
const ts = createRequire(join(root, 'docs/package.json'))('typescript');

/** Folder of the pages. */
export const apiFolder = join(root, 'docs/reference/api');

const printer = ts.createPrinter({ removeComments: true });

/**
 * Entries of a package that programs may import. Those of `gradsim/core` and the like are pages of their own packages.
 * @param {string} folder
 */
function entriesOf(folder) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .filter(([path, { types }]) => types && path !== './internal' && !types.startsWith('./dist/parts/'))
    .map(([path, { types }]) => ({ name: path === '.' ? name : `${name}${path.slice(1)}`, file: join(folder, types) }));
}

/** Pages by file name. @returns {Map<string, string>} */
export function apiPages() {
  const packages = publishedPackages().map(({ name, folder }) => ({ name, folder, entries: entriesOf(folder) }));
  const program = ts.createProgram(
    packages.flatMap(({ entries }) => entries.map(({ file }) => file)),
    {
      noLib: true,
      types: [],
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
  );
  const checker = program.getTypeChecker();
  return new Map(
    packages.map(({ name, folder, entries }) => {
      const sections = entries.map((entry) => {
        const source = program.getSourceFile(entry.file);
        const module = source && checker.getSymbolAtLocation(source);
        if (!module) throw new Error(`${entry.file} is not built, or exports nothing.`);
        const lines = checker.getExportsOfModule(module).map((symbol) => {
          const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
          return textOf(own, symbol.name, folder);
        });
        return `## ${entry.name}\n\n\`\`\`ts\n${lines.sort().join('\n')}\n\`\`\`\n`;
      });
      const head = `# Exports of ${name}\n\nWritten by \`npm run api\` from the declarations; a test compares it.\n`;
      return [`${basename(folder)}.md`, [head, ...sections].join('\n')];
    }),
  );
}

/**
 * The declarations of a symbol, or where it comes from if that is another package.
 * @param {import('../../docs/node_modules/typescript/lib/typescript.js').Symbol} symbol
 * @param {string} name
 * @param {string} folder
 */
function textOf(symbol, name, folder) {
  const texts = (symbol.declarations ?? []).map((declaration) => {
    const file = declaration.getSourceFile().fileName;
    const [, other] = /\/packages\/([\w-]+)\/dist\//.exec(file) ?? [];
    if (other !== basename(folder)) return `export { ${name} }; // of ${other ?? 'a dependency'}`;
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return printer
      .printNode(ts.EmitHint.Unspecified, statement, declaration.getSourceFile())
      .replace(/^export (?:declare )?|^declare /, '')
      .replace(/import\("[^"]+"\)\./g, '')
      .split('\n')
      .filter((line) => !/^\s+(?:private |#)/.test(line))
      .join('\n');
  });
  return [...new Set(texts)].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  orExit(() => setUp(['packages']));
  rmSync(apiFolder, { recursive: true, force: true });
  mkdirSync(apiFolder);
  for (const [file, text] of apiPages()) writeFileSync(join(apiFolder, file), text);
}
