// Runs test files, and prints the counts of their tests as a line of JSON, after one for each that failed.
import { print } from '../support/options.ts';
import { runTestFiles } from '../support/tests.ts';

const counts = await runTestFiles(process.argv.slice(2), { env: {}, seconds: 24 * 3600, onFailure: print });
print({ ...counts });
process.exitCode = counts?.failed === 0 ? 0 : 1;
