import { addressFault, ADDRESS_RULE } from '../../core/deployment/platform-address';
import {
  ENVIRONMENTS,
  PLATFORM_REGIONS,
  type PlatformInterface,
  type PlatformRegion,
  type Scope,
  SCOPES,
  TENANT_ID,
} from '../../core/deployment/platform';
import { alarms } from '../../lib/options/alarm-settings';
import { AWS_REGIONS, nearestRegions } from '../../lib/options/aws-regions';
import { TENANT_ID_RULE } from '../../lib/options/tenant-settings';
import { ACCOUNT_ID, ACCOUNT_RULE } from '../../core/deployment/account-id';
import { type DeploymentKey, deploymentText } from '../../core/tokens/token-key';
import { usageError } from '../command-error';
import { flagOf } from '../command-text';
import { requireWord } from '../options';
import { type Location } from '../system';
import {
  type AddressField,
  type Addresses,
  type AnsweredDeployment,
  type InitFlags,
  type WrittenDeployment,
} from './answers';
import { type Questions } from './questions';
import { isOfPlatform, type WrittenConfiguration, writtenDeployment } from './written-configuration';

const TYPE_IT = 'type a value, then Enter';

/**
 * Gets the answers for one deployment of the learning platform. Skips what `existing` says already.
 * @param defaultLocation where a new deployment goes
 */
export async function answerPlatformDeployment(
  questions: Questions,
  flags: InitFlags,
  existing: WrittenConfiguration,
  defaultLocation: Partial<Location>,
): Promise<AnsweredDeployment> {
  requireWords(flags, 'environment', ENVIRONMENTS);
  requireWords(flags, 'platformRegion', PLATFORM_REGIONS);
  const environment = await questions.choose(
    'environment',
    flags.environment,
    'Platform environment',
    ENVIRONMENTS,
  );
  const platformRegion = await questions.choose(
    'platformRegion',
    flags.platformRegion,
    'Platform region (global: all but MEA)',
    PLATFORM_REGIONS,
    onlyRegionOf(existing, environment) ?? 'global',
  );
  const deploymentKey = { environment, platformRegion };
  const writtenAddresses = existing.endpoints?.[environment]?.[platformRegion] ?? {};
  const deployment = writtenDeployment(existing, deploymentKey);
  const tenantIds = await answerTenants(questions, flags);
  const address = (field: AddressField, question: string) =>
    questions.text(field, flags[field] ?? writtenAddresses[field], question, checkAddress);
  const addresses: Addresses = {
    contentBaseUrl: await address('contentBaseUrl', 'Base URL of the content interface'),
    contentTokenBaseUrl: await address(
      'contentTokenBaseUrl',
      'Base URL for its tokens (before /oauth2/token)',
    ),
  };
  const hasRestore = await questions.confirm(
    deployment === undefined ? flags.restore : (deployment.restore?.available ?? false),
    'Does the platform offer restore? It needs a content token with scope api/write.',
  );
  const needed = hasRestore ? 'api/write' : undefined;
  const tokens = await answerTokens(questions, 'content', flags.contentScopes, needed);
  const usesWebhooks = await questions.confirm(
    (flags.webhooksScopes ?? flags.webhooksBaseUrl ?? flags.webhooksTokenBaseUrl) !== undefined || undefined,
    'Do you use the webhooks interface?',
  );
  if (usesWebhooks) {
    addresses.webhooksBaseUrl = await address('webhooksBaseUrl', 'Base URL of the webhooks interface');
    addresses.webhooksTokenBaseUrl = await address('webhooksTokenBaseUrl', 'Base URL for its tokens');
    tokens.push(...(await answerTokens(questions, 'webhooks', flags.webhooksScopes)));
  }
  const generatesKeys = await questions.confirm(
    (flags.tenantServiceUrl ?? writtenAddresses.tenantServiceUrl) !== undefined || undefined,
    'Do you want to generate API keys with `latchkey api-key generate`?',
  );
  if (generatesKeys) {
    addresses.tenantServiceUrl = await address('tenantServiceUrl', 'URL of the tenant service');
  }
  const settings = await answerSettings(questions, flags, defaultLocation, deployment && deploymentKey);
  return {
    ...deploymentKey,
    tenants: tenantIds.map((tenantId) => ({ tenantId, tokens })),
    deployment: { ...deploymentKey, ...settings, restore: hasRestore ? { available: true } : undefined },
    addresses,
  };
}

/** Refuses a flag with an unknown word. A variable may be for another issuer, so `init` asks instead. @throws {CommandError} usage */
function requireWords(
  flags: InitFlags,
  field: 'environment' | 'platformRegion',
  words: readonly string[],
): void {
  const given = flags[field];
  if (given !== undefined && flags.variables?.[field] === undefined) requireWord(flagOf(field), given, words);
}

/** The platform region of an environment that has only one deployment. */
function onlyRegionOf(
  { deployments }: WrittenConfiguration,
  environment: string,
): PlatformRegion | undefined {
  const [only, ...others] = deployments.filter(
    (each) => isOfPlatform(each) && each.environment === environment,
  );
  if (only === undefined || others.length > 0) return undefined;
  return PLATFORM_REGIONS.find((region) => region === (only.platformRegion ?? 'global'));
}

/** The tenants of a new deployment, or those to add to one. */
export async function answerTenants(questions: Questions, flags: InitFlags): Promise<string[]> {
  if (flags.tenants !== undefined) return flags.tenants;
  const tenants: string[] = [];
  const check = (id: string) => {
    if (!TENANT_ID.test(id)) return `${TYPE_IT}: ${TENANT_ID_RULE}`;
    return tenants.includes(id) ? 'each tenant once' : undefined;
  };
  tenants.push(await questions.text('tenants', undefined, 'Tenant identifier, as given by support', check));
  for (;;) {
    const another = await questions.optional(
      undefined,
      'Another tenant identifier (leave empty to go on)',
      check,
    );
    if (another === undefined) return tenants;
    tenants.push(another);
  }
}

/** One or more tokens. The needed one is included without asking. */
async function answerTokens(
  questions: Questions,
  name: PlatformInterface,
  given: readonly string[] | undefined,
  needed?: Scope,
): Promise<{ interface: PlatformInterface; scope: Scope }[]> {
  // Enter selects the first scope, which should not be the broadest.
  const scopes: Scope[] = [...SCOPES[name].filter((scope) => scope !== 'api/all'), 'api/all'];
  const chosen = new Set<Scope>(needed === undefined ? [] : [needed]);
  if (given !== undefined)
    scopes.filter((scope) => given.includes(scope)).forEach((scope) => chosen.add(scope));
  else {
    const field = name === 'content' ? 'contentScopes' : 'webhooksScopes';
    if (needed === undefined) {
      chosen.add(await questions.choose(field, undefined, `Scope of the ${name} token`, scopes));
    }
    for (const scope of scopes.filter((other) => !chosen.has(other))) {
      if (await questions.confirm(undefined, `Also keep a ${name} token with scope ${scope}?`))
        chosen.add(scope);
    }
  }
  return [...chosen].map((scope) => ({ interface: name, scope }));
}

/** Flags for a new deployment only. */
const NEW_DEPLOYMENT_FLAGS = ['account', 'region', 'alarmEmails', 'restore'] as const;

/**
 * Where a new deployment goes, and whom it notifies.
 * @param existing the key of the deployment, if it is not new: then nothing is asked
 * @throws {CommandError} usage, if a flag would change an existing deployment
 */
export async function answerSettings(
  questions: Questions,
  flags: InitFlags,
  defaultLocation: Partial<Location>,
  existing: DeploymentKey | undefined,
): Promise<Pick<WrittenDeployment, 'account' | 'region' | 'alarms'>> {
  if (existing !== undefined) {
    const changing = NEW_DEPLOYMENT_FLAGS.find((field) => flags[field] !== undefined);
    if (changing === undefined) return {};
    const allowed = `nothing: the deployment ${deploymentText(existing)} exists, so change it in the file`;
    throw usageError(flagOf(changing), 'a value', allowed);
  }
  const checkAccount = (text: string) => (ACCOUNT_ID.test(text) ? undefined : ACCOUNT_RULE);
  const checkRegion = (text: string) => (isRegion(text) ? undefined : regionRule(text));
  const { account: defaultAccount = '', region: defaultRegion = '' } = defaultLocation;
  const defaults = {
    account: checkAccount(defaultAccount) === undefined ? defaultAccount : undefined,
    region: checkRegion(defaultRegion) === undefined ? defaultRegion : undefined,
  };
  const account = await questions.optional(
    flags.account,
    defaults.account === undefined
      ? 'AWS account id (leave empty to use that of your credentials; commands then ask whether it is right)'
      : 'AWS account id; commands refuse any other',
    checkAccount,
    defaults.account,
  );
  const region = await questions.optional(
    flags.region,
    defaults.region === undefined ? 'AWS region (leave empty to use your profile’s)' : 'AWS region',
    checkRegion,
    defaults.region,
  );
  const emails = await questions.optional(
    flags.alarmEmails?.join(' '),
    'E-mail addresses for alarms, separated by spaces (leave empty for none)',
    (text) => EMAILS.safeParse(wordsOf(text)).error?.issues[0]?.message,
  );
  const addresses = wordsOf(emails ?? '');
  return { account, region, alarms: addresses.length === 0 ? undefined : { emails: addresses } };
}

const EMAILS = alarms.shape.emails;

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** Whether AWS has the region. */
export function isRegion(name: string): boolean {
  return AWS_REGIONS.includes(name);
}

/** The allowed regions, for a message about another one. */
export function regionRule(found: string): string {
  return `an AWS region, such as ${nearestRegions(found).join(', ')}`;
}

function checkAddress(address: string): string | undefined {
  return addressFault(address, false) === undefined ? undefined : `${TYPE_IT}: ${ADDRESS_RULE}`;
}
