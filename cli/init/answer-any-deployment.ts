import { existsSync } from 'node:fs';

import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { NAME, NAME_RULE } from '../../core/tokens/key-check';
import { usageError } from '../command-error';
import { flagOf } from '../command-text';
import {
  askBaseUrl,
  askParameters,
  askTokenType,
  type AskedTokenType,
  baseOf,
  oneOf,
} from '../issuer/asked-token';
import { profileNames } from '../../lib/options/issuers';
import { readIssuerProfile } from '../issuer/read-profile';
import { type Location } from '../system';
import { answerPlatformDeployment } from './answer-platform-deployment';
import { answerSettings, answerTenants } from './answer-settings';
import { ADDRESS_FIELDS, type AnsweredDeployment, type InitFlags } from './answers';
import { type Questions } from './questions';
import { type WrittenConfiguration, writtenDeployment } from './written-configuration';

/** Flags for one kind of issuer only. */
const PLATFORM_FLAGS = [...ADDRESS_FIELDS, 'contentScopes', 'webhooksScopes', 'restore'] as const;
const OTHER_ISSUERS_FLAGS = ['interface', 'scope', 'parameter', 'tokenBaseUrl'] as const;

/** Gets the answers for one deployment. Skips what `existing` says already. @param defaultLocation where a new deployment goes */
export async function answerDeployment(
  questions: Questions,
  flags: InitFlags,
  existing: WrittenConfiguration,
  defaultLocation: Partial<Location>,
): Promise<AnsweredDeployment> {
  const isOfPlatform = PLATFORM_FLAGS.some((field) => flags[field] !== undefined);
  const flagged = flags.issuer ?? (isOfPlatform ? LEARNING_PLATFORM.name : undefined);
  const issuer = await answerIssuer(questions, flagged);
  const isPlatform = issuer === LEARNING_PLATFORM.name;
  const misplaced = (isPlatform ? OTHER_ISSUERS_FLAGS : PLATFORM_FLAGS).find(
    (field) => flags[field] !== undefined,
  );
  if (misplaced !== undefined) {
    const allowed = `nothing: it is for ${isPlatform ? 'other issuers than' : 'the issuer'} ${LEARNING_PLATFORM.name}`;
    throw usageError(flagOf(misplaced), 'a value', allowed);
  }
  return isPlatform
    ? answerPlatformDeployment(questions, flags, existing, defaultLocation)
    : answerIssuerDeployment(questions, flags, existing, defaultLocation, issuer);
}

/** The name of a profile, or the path of one. The learning platform, if nobody says. */
async function answerIssuer(questions: Questions, given: string | undefined): Promise<string> {
  const ownProfile = 'a profile of your own';
  const names = [...profileNames(), ownProfile];
  const chosen =
    given ?? (await questions.choose('issuer', undefined, 'Issuer of the tokens', names, names[0]));
  if (chosen !== ownProfile) return chosen;
  return questions.text(
    'issuer',
    undefined,
    'Path of the profile (latchkey issuer new writes one)',
    (path) =>
      path.endsWith('.json') && existsSync(path)
        ? undefined
        : 'the path of an existing file that ends with .json',
  );
}

/** A deployment of another issuer. Each tenant gets the same tokens. */
async function answerIssuerDeployment(
  questions: Questions,
  flags: InitFlags,
  existing: WrittenConfiguration,
  defaultLocation: Partial<Location>,
  issuer: string,
): Promise<AnsweredDeployment> {
  const profile = readIssuerProfile(issuer);
  const { name, title } = profile;
  const checkName = (text: string) => (NAME.test(text) ? undefined : NAME_RULE);
  const environment =
    (await oneOf(questions, flags, 'environment', `Environment of ${title}`, profile.environments)) ??
    (await questions.text(
      'environment',
      flags.environment,
      'Environment, a name of yours such as production',
      checkName,
    ));
  const platformRegion = await oneOf(
    questions,
    flags,
    'platformRegion',
    `Region of ${title}`,
    profile.regions,
  );
  const key = { issuer: name, environment, ...(platformRegion !== undefined && { platformRegion }) };
  const isNew = writtenDeployment(existing, key) === undefined;
  const tenants: AnsweredDeployment['tenants'] = [];
  for (const tenantId of await answerTenants(questions, flags)) {
    const parameters = await askParameters(questions, profile, flags.parameter ?? [], tenantId);
    tenants.push({ tenantId, ...(profile.parameters !== undefined && { parameters }), tokens: [] });
  }
  const tokens: AskedTokenType[] = [];
  do {
    tokens.push(await askTokenType(questions, profile, flags));
  } while (
    await questions.confirm(isTokenGiven(flags) ? false : undefined, 'Another token, of other scopes?')
  );
  for (const tenant of tenants) tenant.tokens = tokens.map((token) => writtenToken(profile, token));
  const hasBases = tokens.every((token) => baseOf(profile, key, token.interface) !== undefined);
  const tokenBaseUrl =
    flags.tokenBaseUrl ?? (hasBases || !isNew ? undefined : await askBaseUrl(questions, profile, undefined));
  const settings = await answerSettings(questions, flags, defaultLocation, isNew ? undefined : key);
  return { ...key, tenants, deployment: { ...key, issuer, tokenBaseUrl, ...settings } };
}

function writtenToken({ interfaces }: IssuerProfile, { interface: name, scope }: AskedTokenType): object {
  return {
    interface: interfaces === undefined ? undefined : name,
    scope: scope === '' ? undefined : scope,
  };
}

function isTokenGiven({ interface: tokenInterface, scope }: InitFlags): boolean {
  return tokenInterface !== undefined || scope !== undefined;
}
