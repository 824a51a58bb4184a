import { ConfigurationError } from '../../../lib/options/configuration-error';
import { parseConfiguration } from '../../../lib/options/load';

/** The validation errors of a configuration, one text each; empty if it is valid. */
export function faultsOf(value: unknown): readonly string[] {
  try {
    parseConfiguration(value, 'test configuration');
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues;
    throw error;
  }
}
