import { ConfigurationError, parseConfiguration } from '../../../lib/config/load';

/** What is wrong with a configuration, a text each; nothing if it can be used. */
export function faultsOf(value: unknown): readonly string[] {
  try {
    parseConfiguration(value, 'test configuration');
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues;
    throw error;
  }
}
