import { type CredentialKind } from '../../contract/secret-names';
import { loadCommand } from '../../inspect/load-command';
import { targetFlagsText } from '../choose-tenant';
import { type Target } from '../system';

/** A command as a person can type it to act on the same target. */
export function commandFor(target: Target, words: string, kind?: CredentialKind): string {
  return `latchkey ${words}${kind === undefined ? '' : ` --kind ${kind}`} ${targetFlagsText(target)}`;
}

/** What gets another credential of that kind. */
export function commandToReplace(target: Target, kind: CredentialKind): string {
  return `${loadCommand(kind, target.deployment.platform)} ${targetFlagsText(target)}`;
}
