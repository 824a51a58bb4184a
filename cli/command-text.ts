import { placeFlags } from '../core/commands/place-flags';
import { type CredentialKind } from '../core/secrets/secret-names';
import { shellWord } from '../core/commands/shell-word';
import { loadCommand } from '../core/commands/fix-commands';
import { type TokenType } from '../core/tokens/token-key';
import { type ChosenTenant } from './system';

/** A latchkey command for a tenant, ready to copy. */
export function tenantCommand(chosen: ChosenTenant, words: string, kind?: CredentialKind): string {
  return `latchkey ${words}${kind === undefined ? '' : ` --kind ${kind}`} ${tenantFlagsText(chosen)}`;
}

/** The command that loads a credential of a kind for a tenant, ready to copy. */
export function tenantLoadCommand(chosen: ChosenTenant, kind: CredentialKind): string {
  return `${loadCommand(kind, chosen.deployment.issuing.platform)} ${tenantFlagsText(chosen)}`;
}

/** Flags with their values: one, several, or none. */
export type Flags = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A latchkey command with flags, ready to copy.
 * @param moreFlags flags as text, such as {@link tenantFlagsText}
 */
export function commandText(words: string, flags: Flags, moreFlags: string): string {
  return ['latchkey', words, flagsText(flags), moreFlags].filter((part) => part !== '').join(' ');
}

/** Flags as text. Leaves out flags without a value, and repeats a flag that has several. */
export function flagsText(flags: Flags): string {
  return Object.entries(flags)
    .flatMap(([flag, values = []]) => [values].flat().map((value) => `${flag} ${shellWord(value)}`))
    .join(' ');
}

/** The flags that select a tenant or token. */
export function tenantFlagsText({ system, deployment, tenant }: ChosenTenant, token?: TokenType): string {
  return [
    placeFlags({ ...deployment, tenantId: tenant.tenantId }),
    flagsText({ '--interface': token?.interface, '--scope': token?.scope }),
    system.flags,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** The flag for an option: `--content-base-url` for `contentBaseUrl`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
