import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { issueLine } from '../../options/configuration-issue';
import { ConfigurationError } from '../../options/configuration-error';
import { type CheckedOptions } from '../../options/schema';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificates of the configured PEM file, and nothing else that it holds. Undefined without a file.
 * @throws {ConfigurationError}
 */
export function authoritiesPemOf(option: CheckedOptions['certificateAuthorities']): string | undefined {
  if (option === undefined || !('file' in option)) return undefined;
  const { file } = option;
  const fault = (allowed: string) =>
    new ConfigurationError('certificateAuthorities', [
      issueLine({ path: ['certificateAuthorities', 'file'], found: file, allowed }),
    ]);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw fault('a readable file, relative to the working directory');
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  try {
    certificates.forEach((each) => new X509Certificate(each));
  } catch {
    throw fault('a file whose certificates can be read');
  }
  if (certificates.length === 0) throw fault('a PEM file with at least one certificate');
  return `${certificates.join('\n')}\n`;
}
