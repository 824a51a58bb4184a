import { addressFault, ADDRESS_RULE, normalizeAddress } from '../../core/deployment/platform-address';
import { TENANT_ID } from '../../core/deployment/platform';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { type RequestedToken } from '../../core/issuers/token-request';
import { basesOf } from '../../lib/options/issuer-rules';
import { ONLY_INTERFACE, parameterValue, scopeOf, TENANT_ID_RULE } from '../../lib/options/tenant-settings';
import { usageError } from '../command-error';
import { flagOf } from '../command-text';
import { type Questions } from '../init/questions';
import { type FlagsOf } from '../options';
import { showArgument } from '../safe-text';

export type TokenRequestFlags = FlagsOf<
  'environment' | 'platformRegion' | 'tenant' | 'interface' | 'scope' | 'parameter' | 'tokenBaseUrl'
>;

/** The token to request, without the credential. */
export interface AskedToken extends Omit<RequestedToken, 'clientId' | 'clientSecret'> {
  baseUrl: string;
  /** The flags that say all of this again. */
  flags: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Takes what a request needs from flags, and asks for the rest. @throws {CommandError} usage */
export async function askToken(
  questions: Questions,
  profile: IssuerProfile,
  flags: TokenRequestFlags,
): Promise<AskedToken> {
  const { title, environments, regions, interfaces, tokenEndpoint, request } = profile;
  const environment = await oneOf(questions, flags, 'environment', `Environment of ${title}`, environments);
  const platformRegion = await oneOf(questions, flags, 'platformRegion', `Region of ${title}`, regions);
  const { interface: tokenInterface, scope } = await askTokenType(questions, profile, flags);
  const base = baseOf(profile, { environment, platformRegion }, tokenInterface);
  const otherBase =
    flags.tokenBaseUrl === undefined && base !== undefined
      ? undefined
      : await askBaseUrl(questions, profile, flags.tokenBaseUrl);
  const namesTenant = JSON.stringify([base, tokenEndpoint.path, request]).includes('{tenantId}');
  const checkTenant = (text: string) => (TENANT_ID.test(text) ? undefined : TENANT_ID_RULE);
  const tenantId = namesTenant
    ? await questions.text('tenant', flags.tenant, 'Tenant identifier', checkTenant)
    : (flags.tenant ?? 'test');
  if (questions.isComplete) requireValid('--tenant', tenantId, checkTenant);
  const parameters = await askParameters(questions, profile, flags.parameter ?? []);
  questions.requireAnswers();
  return {
    baseUrl: otherBase === undefined ? base! : normalizeAddress(otherBase),
    tenantId,
    scope,
    parameters,
    flags: {
      '--environment': environment,
      '--platform-region': platformRegion,
      '--tenant': namesTenant ? tenantId : undefined,
      '--interface': interfaces === undefined ? undefined : tokenInterface,
      '--scope': scope === '' ? flags.scope : scope,
      '--parameter': Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
      '--token-base-url': otherBase,
    },
  };
}

/** A token type, as a person or a flag names it. */
export interface AskedTokenType {
  interface: string;
  /** Empty for none. */
  scope: string;
}

/** What the token is for, and its scopes. @throws {CommandError} usage */
export async function askTokenType(
  questions: Questions,
  profile: IssuerProfile,
  flags: Pick<TokenRequestFlags, 'interface' | 'scope'>,
): Promise<AskedTokenType> {
  const { interfaces, request } = profile;
  const names = interfaces === undefined ? undefined : Object.keys(interfaces);
  const tokenInterface = (await oneOf(questions, flags, 'interface', 'Interface', names)) ?? ONLY_INTERFACE;
  const scopes = interfaces?.[tokenInterface]?.scopes;
  const form = scopeOf(profile, tokenInterface, scopes);
  const check = (text: string) => form.safeParse(text).error?.issues[0]?.message;
  const question = `Scopes, with spaces between${scopes === undefined ? '' : `: ${scopes.join(', ')}`}`;
  const scope =
    scopes !== undefined && request?.oneScope === true
      ? await oneOf(questions, flags, 'scope', 'Scope', scopes)
      : await questions.optional(flags.scope, `${question} (leave empty for none)`, check);
  requireValid('--scope', scope, check);
  return { interface: tokenInterface, scope: scope ?? '' };
}

/** The base URL that a profile has for an interface. */
export function baseOf(
  profile: IssuerProfile,
  place: Parameters<typeof basesOf>[1],
  tokenInterface: string,
): string | undefined {
  return basesOf(profile, place).find((base) => (base.interface ?? tokenInterface) === tokenInterface)?.url;
}

export async function askBaseUrl(
  questions: Questions,
  { tokenEndpoint }: IssuerProfile,
  given: string | undefined,
): Promise<string> {
  const check = (text: string) => (addressFault(text) === undefined ? undefined : ADDRESS_RULE);
  requireValid('--token-base-url', given, check);
  const question = `Base URL of the token endpoint (before ${tokenEndpoint.path})`;
  return questions.text('tokenBaseUrl', given, question, check);
}

/** One of the profile's words; undefined if it has none. */
export async function oneOf<Field extends 'environment' | 'platformRegion' | 'interface' | 'scope'>(
  questions: Questions,
  flags: Pick<TokenRequestFlags, Field>,
  field: Field,
  question: string,
  words: readonly string[] | undefined,
): Promise<string | undefined> {
  if (words === undefined) return undefined;
  const given = flags[field];
  requireValid(flagOf(field), given, (text) => (words.includes(text) ? undefined : words.join(', ')));
  return words.length === 1 ? words[0] : questions.choose(field, given, question, words);
}

/** The values of the profile's parameters, by `NAME=VALUE`. */
export async function askParameters(
  questions: Questions,
  { parameters = {} }: IssuerProfile,
  given: readonly string[],
  tenantId?: string,
): Promise<Record<string, string>> {
  const pairs = new Map(
    given.map((pair) => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(at, 0));
      if (Object.hasOwn(parameters, name)) return [name, pair.slice(at + 1)] as const;
      const allowed = Object.keys(parameters).map((each) => `${each}=VALUE`);
      throw usageError('--parameter', showArgument(name), allowed.join(', ') || 'none for this issuer');
    }),
  );
  const values: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const form = parameterValue(parameter);
    const check = (text: string) => form.safeParse(text).error?.issues[0]?.message;
    requireValid(`--parameter ${name}`, pairs.get(name), check);
    const subject = tenantId === undefined ? name : `${name} of ${tenantId}`;
    const question = `${subject}: ${parameter.description}`;
    values[name] = await questions.text(`--parameter ${name}=…`, pairs.get(name), question, check);
  }
  return values;
}

/** @throws {CommandError} usage, without the value, which may be a misplaced secret */
function requireValid(
  flag: string,
  value: string | undefined,
  check: (text: string) => string | undefined,
): void {
  const allowed = value === undefined ? undefined : check(value);
  if (allowed !== undefined) throw usageError(flag, showArgument(value!), allowed);
}
