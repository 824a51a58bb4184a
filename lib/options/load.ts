import { checkShape, firstPerPath } from './check-shape';
import { ConfigurationError } from './configuration-error';
import { issueLine } from './configuration-issue';
import { profilesOf } from './issuers';
import { readJsonFile } from './read-json-file';
import { crossIssues } from './rules';
import { configurationSchemaOf, type Configuration } from './schema';
import { lateIssues, wellFormed } from './well-formed';

/**
 * Reads a configuration file.
 * @throws {ConfigurationError} lists every fault with its path, the value found and the allowed values
 */
export function loadConfiguration(file: string): Configuration {
  return parseConfiguration(readJsonFile(file), file);
}

/**
 * Checks a parsed configuration.
 * @param source file name for error messages
 * @throws {ConfigurationError} lists all faults
 */
export function parseConfiguration(value: unknown, source: string): Configuration {
  const read = profilesOf(value);
  const schema = configurationSchemaOf(read.profiles);
  const { data, issues } = checkShape(schema, value);
  const late = lateIssues(schema, value, true);
  const across = crossIssues(wellFormed(schema, value) ?? {});
  const all = firstPerPath(late, read.issues, issues, across);
  if (data === undefined || all.length > 0) throw new ConfigurationError(source, all.map(issueLine));
  return data as Configuration;
}
