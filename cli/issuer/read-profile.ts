import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { issueLine } from '../../lib/options/configuration-issue';
import { issuerRule, profileNames, profileOf } from '../../lib/options/issuers';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';

/** A profile by its name, or from a file. @throws {CommandError} usage, if there is none or it is invalid */
export function readIssuerProfile(named: string): IssuerProfile {
  if (!named.endsWith('.json') && !profileNames().includes(named)) {
    throw usageError('issuer', showFile(named), issuerRule());
  }
  const { profile, issues } = profileOf({ issuer: named });
  if (issues.length === 0) return profile;
  throw new CommandError(EXIT.usage, 'usage', issues.map(issueLine).join('\n'));
}
