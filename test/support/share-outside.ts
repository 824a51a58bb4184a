/**
 * Runs before each test file. Packages that are loaded outside the sandbox see the file's environment variables, of which none
 * stays for the next file.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Set by `load-outside.cjs`. */
interface Outside {
  env: NodeJS.ProcessEnv;
  /** The variables before the first file. */
  initial?: NodeJS.ProcessEnv;
}

const key = Symbol.for('latchkey.outside');
const outside = (AsyncLocalStorage as unknown as Record<symbol, Outside>)[key]!;
const { env } = outside;
outside.initial ??= { ...env };
for (const name of Object.keys(env)) if (!(name in outside.initial)) delete env[name];
Object.assign(env, outside.initial);
process.env = env;
