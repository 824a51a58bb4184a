import { z } from 'zod';
import { DEFAULT_SEED, seedDeploymentsSchema, seedSchema } from '../seed';
import { brokenSeedRules } from '../seed-rules';
import { parseInput } from '../validation';
import { type SandboxOptions } from './sandbox-types';

const functionSchema = <Callable>(message: string) =>
  z.custom<Callable>((value) => typeof value === 'function', message).optional();

/** {@link SandboxOptions}: the fields of a seed, and what only a program can set. */
export const optionsSchema = seedSchema.extend({
  deployments: seedDeploymentsSchema.min(1).prefault(DEFAULT_SEED.deployments),
  separatePorts: z.boolean().default(false),
  nowMs: functionSchema<() => number>('a function that returns milliseconds since 1970'),
  onUnexpectedError: functionSchema<(error: Error) => void>('a function that takes an error'),
});

/**
 * Reads the options of a sandbox.
 * @returns the seed, whether each address has its own port, and the functions
 * @throws {InvalidInputError} with all faults, each by its path
 */
export function readOptions(options: SandboxOptions) {
  const { separatePorts, nowMs, onUnexpectedError, ...seed } = parseInput(optionsSchema, options, () =>
    brokenSeedRules(options),
  );
  return { seed, separatePorts, nowMs, onUnexpectedError };
}
