import { addressFault, ADDRESS_RULE } from '../../core/deployment/platform-address';
import {
  ENVIRONMENTS,
  PLATFORM_REGIONS,
  type PlatformInterface,
  type PlatformRegion,
  type Scope,
  SCOPES,
} from '../../core/deployment/platform';
import { flagOf } from '../command-text';
import { requireWord } from '../options';
import { type Location } from '../system';
import { answerSettings, answerTenants, TYPE_IT } from './answer-settings';
import { type AddressField, type Addresses, type AnsweredDeployment, type InitFlags } from './answers';
import { type Questions } from './questions';
import { isOfPlatform, type WrittenConfiguration, writtenDeployment } from './written-configuration';

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

function checkAddress(address: string): string | undefined {
  return addressFault(address, false) === undefined ? undefined : `${TYPE_IT}: ${ADDRESS_RULE}`;
}
