import { ENVIRONMENTS, narrowTokenType, PLATFORM_NAME, PLATFORM_REGIONS } from '../deployment/platform';
import { type TokenKey } from './token-key';

/** A field of a key that is malformed. */
export interface WrongField {
  field: keyof TokenKey;
  allowed: string;
}

/** Names that no issuer may have: in resource names, the learning platform's environments stand where others have their issuer. */
export const RESERVED_ISSUER_NAMES: readonly string[] = [PLATFORM_NAME, ...ENVIRONMENTS];

type Unchecked = Partial<Record<keyof TokenKey, unknown>>;

/** A name that becomes part of the names of stacks, secrets and parameters. */
export const NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;
export const NAME_RULE = 'up to 31 lower-case letters, digits and hyphens, starting with no hyphen';
/** No control characters, and no unpaired surrogates. */
const SCOPE = /^[^\p{Cc}\p{Cs}]{0,450}$/u;

/** The malformed fields of a deployment key. Names of other issuers than the learning platform are free, so only their form is checked. */
export function wrongDeploymentFields({ issuer, environment, platformRegion }: Unchecked): WrongField[] {
  return issuer === undefined
    ? [
        ...unless(isOneOf(ENVIRONMENTS, environment), 'environment', ENVIRONMENTS.join(', ')),
        ...unless(isOneOf(PLATFORM_REGIONS, platformRegion), 'platformRegion', PLATFORM_REGIONS.join(', ')),
      ]
    : [
        ...unless(
          isName(issuer) && !isOneOf(RESERVED_ISSUER_NAMES, issuer),
          'issuer',
          `${NAME_RULE}, but not ${RESERVED_ISSUER_NAMES.join(' or ')}`,
        ),
        ...unless(isName(environment), 'environment', NAME_RULE),
        ...unless(
          platformRegion === undefined || isName(platformRegion),
          'platformRegion',
          `nothing, or ${NAME_RULE}`,
        ),
      ];
}

/** The malformed fields of a token type. */
export function wrongTokenFields({ issuer, interface: tokenInterface, scope }: Unchecked): WrongField[] {
  if (issuer === undefined) {
    const narrowed = narrowTokenType(tokenInterface, scope);
    return 'wrong' in narrowed ? unless(false, narrowed.wrong, narrowed.allowed.join(', ')) : [];
  }
  return [
    ...unless(isName(tokenInterface), 'interface', NAME_RULE),
    ...unless(
      typeof scope === 'string' && SCOPE.test(scope),
      'scope',
      'up to 450 characters without control characters',
    ),
  ];
}

function unless(isRight: boolean, field: keyof TokenKey, allowed: string): WrongField[] {
  return isRight ? [] : [{ field, allowed }];
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && NAME.test(value);
}

function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  return allowed.includes(value);
}
