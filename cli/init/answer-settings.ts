import { ACCOUNT_ID, ACCOUNT_RULE } from '../../core/deployment/account-id';
import { TENANT_ID } from '../../core/deployment/platform';
import { type DeploymentKey, deploymentText } from '../../core/tokens/token-key';
import { alarms } from '../../lib/options/alarm-settings';
import { AWS_REGIONS, nearestRegions } from '../../lib/options/aws-regions';
import { TENANT_ID_RULE } from '../../lib/options/tenant-settings';
import { usageError } from '../command-error';
import { flagOf } from '../command-text';
import { type Location } from '../system';
import { type InitFlags, type WrittenDeployment } from './answers';
import { type Questions } from './questions';

export const TYPE_IT = 'type a value, then Enter';

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
