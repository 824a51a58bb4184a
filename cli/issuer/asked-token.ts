import { addressFault, ADDRESS_RULE, normalizeAddress } from '../../core/deployment/platform-address';
import { TENANT_ID } from '../../core/deployment/platform';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { type RequestedToken } from '../../core/issuers/token-request';
import { basesOf } from '../../lib/options/issuer-rules';
import { parameterValue, scopeOf, TENANT_ID_RULE } from '../../lib/options/tenant-settings';
import { usageError } from '../command-error';
import { type Questions } from '../init/questions';
import { type FlagsOf } from '../options';
import { showArgument } from '../safe-text';

export type TokenFlags = FlagsOf<
  'environment' | 'platformRegion' | 'tenant' | 'interface' | 'scope' | 'parameter' | 'tokenBaseUrl'
>;

/** The token to request, but for the credential. */
export interface AskedToken extends Omit<RequestedToken, 'clientId' | 'clientSecret'> {
  baseUrl: string;
  /** The flags that say all of this again. */
  flags: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Takes what a request needs from flags, and asks for the rest. @throws {CommandError} usage */
export async function askToken(
  questions: Questions,
  profile: IssuerProfile,
  flags: TokenFlags,
): Promise<AskedToken> {
  const { title, environments, regions, interfaces, tokenEndpoint, request } = profile;
  const environment = await oneOf(
    questions,
    'environment',
    flags.environment,
    `Environment of ${title}`,
    environments,
  );
  const platformRegion = await oneOf(
    questions,
    'platformRegion',
    flags.platformRegion,
    `Region of ${title}`,
    regions,
  );
  const names = interfaces === undefined ? undefined : Object.keys(interfaces);
  const tokenInterface = (await oneOf(questions, 'interface', flags.interface, 'Interface', names)) ?? 'api';
  const scopes = interfaces?.[tokenInterface]?.scopes;
  const scopeForm = scopeOf(profile, tokenInterface, scopes);
  const checkScope = (text: string) => scopeForm.safeParse(text).error?.issues[0]?.message;
  const scopeQuestion =
    scopes === undefined
      ? 'Scopes, with spaces between'
      : `Scopes, with spaces between: ${scopes.join(', ')}`;
  const scope =
    scopes !== undefined && request?.oneScope === true
      ? await oneOf(questions, 'scope', flags.scope, 'Scope', scopes)
      : await questions.optional(flags.scope, `${scopeQuestion} (leave empty for none)`, checkScope);
  requireValid('--scope', scope, checkScope);

  const isConfigured = basesOf(profile, { environment, platformRegion }).find(
    (base) => (base.interface ?? tokenInterface) === tokenInterface,
  );
  const checkAddress = (text: string) => (addressFault(text) === undefined ? undefined : ADDRESS_RULE);
  const given =
    flags.tokenBaseUrl === undefined && isConfigured !== undefined
      ? undefined
      : await questions.text(
          'tokenBaseUrl',
          flags.tokenBaseUrl,
          `Base URL of the token endpoint (before ${tokenEndpoint.path})`,
          checkAddress,
        );
  if (questions.isComplete) requireValid('--token-base-url', given, checkAddress);

  const used = JSON.stringify([isConfigured, tokenEndpoint.path, request]);
  const checkTenant = (text: string) => (TENANT_ID.test(text) ? undefined : TENANT_ID_RULE);
  const tenantId = used.includes('{tenantId}')
    ? await questions.text('tenant', flags.tenant, 'Tenant identifier', checkTenant)
    : (flags.tenant ?? 'test');
  if (questions.isComplete) requireValid('--tenant', tenantId, checkTenant);
  const parameters = await askParameters(questions, profile, flags.parameter ?? []);
  questions.requireAnswers();
  return {
    baseUrl: given === undefined ? isConfigured!.url : normalizeAddress(given),
    tenantId,
    scope: scope ?? '',
    parameters,
    flags: {
      '--environment': environment,
      '--platform-region': platformRegion,
      '--tenant': used.includes('{tenantId}') ? tenantId : undefined,
      '--interface': names === undefined ? undefined : tokenInterface,
      '--scope': scope,
      '--parameter': Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
      '--token-base-url': given,
    },
  };
}

/** One of the profile's words; undefined if it has none. */
async function oneOf(
  questions: Questions,
  field: keyof TokenFlags,
  given: string | undefined,
  question: string,
  words: readonly string[] | undefined,
): Promise<string | undefined> {
  if (words === undefined) return undefined;
  const flag = `--${field === 'platformRegion' ? 'platform-region' : field}`;
  requireValid(flag, given, (text) => (words.includes(text) ? undefined : words.join(', ')));
  return words.length === 1 ? words[0] : questions.choose(field, given, question, words);
}

/** The values of the profile's parameters, by `NAME=VALUE`. */
export async function askParameters(
  questions: Questions,
  { parameters = {} }: IssuerProfile,
  given: readonly string[],
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
    const question = `${name}: ${parameter.description}`;
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
