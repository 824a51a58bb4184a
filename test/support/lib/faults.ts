import { ConfigurationError } from '../../../lib/options/configuration-error';
import { parseConfiguration } from '../../../lib/options/load';

/** The validation errors of a configuration, one text each; empty if it is valid. */
export function faultsOf(value: unknown): readonly string[] {
  return faultsIn(() => parseConfiguration(value, 'test configuration'));
}

/** The validation errors with which something fails; empty if it does not. */
export function faultsIn(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues;
    throw error;
  }
}
