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

/**
 * A command with those flags that have a value, or several.
 * @param more flags as text, such as {@link tenantFlagsText}
 */
export function commandText(
  words: string,
  flags: Readonly<Record<string, string | readonly string[] | undefined>>,
  more: string,
): string {
  const given = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${flag} ${shellWord(each)}`),
  );
  return ['latchkey', words, ...given, more].filter((part) => part !== '').join(' ');
}

/** The flags that select a tenant or token. */
export function tenantFlagsText({ system, deployment, tenant }: ChosenTenant, token?: TokenType): string {
  return [
    placeFlags({ ...deployment, tenantId: tenant.tenantId }),
    ...(token === undefined
      ? []
      : [`--interface ${shellWord(token.interface)}`, `--scope ${shellWord(token.scope)}`]),
    ...(system.flags === '' ? [] : [system.flags]),
  ].join(' ');
}

/** The flag of an option, such as `--content-base-url` of `contentBaseUrl`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
