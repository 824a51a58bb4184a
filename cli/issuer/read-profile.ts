import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { issueLine } from '../../lib/options/configuration-issue';
import { shelfNames } from '../../lib/options/issuer-shelf';
import { profileOf } from '../../lib/options/issuers';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';

/** The names of all profiles that Latchkey has. */
export function profileNames(): string[] {
  return [LEARNING_PLATFORM.name, ...shelfNames()];
}

/** A profile by its name, or from a file. @throws {CommandError} usage, if there is none or it is invalid */
export function readIssuerProfile(named: string): IssuerProfile {
  if (!named.endsWith('.json') && !profileNames().includes(named)) {
    throw usageError(
      'issuer',
      showFile(named),
      `${profileNames().join(', ')}, or the path of a profile that ends with .json`,
    );
  }
  const { profile, issues } = profileOf({ issuer: named });
  if (issues.length === 0) return profile;
  throw new CommandError(EXIT.usage, 'usage', issues.map(issueLine).join('\n'));
}
