import { type CredentialKind } from '../../contract/secret-names';
import { loadCommand } from '../../inspect/load-command';
import { tenantFlagsText } from '../choose-tenant';
import { type ChosenTenant } from '../system';

/** A command as a person can type it to act on the same tenant. */
export function commandFor(chosen: ChosenTenant, words: string, kind?: CredentialKind): string {
  return `latchkey ${words}${kind === undefined ? '' : ` --kind ${kind}`} ${tenantFlagsText(chosen)}`;
}

/** What gets another credential of that kind. */
export function commandToReplace(chosen: ChosenTenant, kind: CredentialKind): string {
  return `${loadCommand(kind, chosen.deployment.platform)} ${tenantFlagsText(chosen)}`;
}
