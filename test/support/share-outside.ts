/**
 * Runs before each test file. Packages that are loaded outside the sandbox see the file's environment variables, of which none
 * stays for the next file.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Set by `load-outside.cjs`. */
interface Outside {
  env: NodeJS.ProcessEnv;
  forgetConstructs: () => void;
  /** The variables before the first file. */
  initial?: NodeJS.ProcessEnv;
}

const key = Symbol.for('latchkey.outside');
const outside = (AsyncLocalStorage as unknown as Record<symbol, Outside>)[key]!;
const { env } = outside;
/** StrykerJS names the active mutant in a variable, between the runs of one worker. */
const ofFiles = () => Object.entries(env).filter(([name]) => !name.startsWith('__STRYKER'));
outside.initial ??= Object.fromEntries(ofFiles());
for (const [name] of ofFiles()) if (!(name in outside.initial)) delete env[name];
Object.assign(env, outside.initial);
process.env = env;
outside.forgetConstructs();
