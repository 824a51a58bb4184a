import { placeFlags } from '../core/commands/place-flags';
import { type CredentialKind } from '../core/secrets/secret-names';
import { shellWord } from '../core/commands/shell-word';
import { loadCommand } from '../core/commands/fix-commands';
import { type TokenType } from '../core/tokens/token-key';
import { type ChosenTenant } from './system';

/** A command for the same tenant, ready to copy. */
export function commandFor(chosen: ChosenTenant, words: string, kind?: CredentialKind): string {
  return `latchkey ${words}${kind === undefined ? '' : ` --kind ${kind}`} ${tenantFlagsText(chosen)}`;
}

/** The command that loads another credential of that kind. */
export function commandToReplace(chosen: ChosenTenant, kind: CredentialKind): string {
  return `${loadCommand(kind, chosen.deployment.issuing.platform)} ${tenantFlagsText(chosen)}`;
}

/** Values of flags, such as `--tenant`. */
export type Flags = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A command with those flags that have a value, or several.
 * @param more flags as text, such as {@link tenantFlagsText}
 */
export function commandText(words: string, flags: Flags, more: string): string {
  return ['latchkey', words, flagsText(flags), more].filter((part) => part !== '').join(' ');
}

/** Those flags that have a value, or several. */
export function flagsText(flags: Flags): string {
  return Object.entries(flags)
    .flatMap(([flag, value = []]) => [value].flat().map((each) => `${flag} ${shellWord(each)}`))
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

/** The flag of an option, such as `--content-base-url` of `contentBaseUrl`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
