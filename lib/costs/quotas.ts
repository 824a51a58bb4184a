import { DEFAULT_TOKEN_REQUESTS_PER_SEC } from '../../core/deployment/deployment-file';
import {
  DEFAULT_QUOTAS,
  MIN_UNRESERVED_CONCURRENCY,
  type QuotaName,
  type Quotas,
} from '../options/quota-settings';
import { type DeploymentConfiguration } from '../options/schema';
import { type CountedTemplate, inventoryOf } from './inventory';
import { sum } from './sum';
import { adoptedSecrets, maxTokens, maxWritesPerSec, type Size, sizeOf } from './usage';

/** How much of an AWS quota the deployments in one account and AWS region use. */
export interface QuotaUse {
  what: string;
  used: number;
  /** The configured quota, else AWS's default, per account and AWS region; or a limit of Latchkey. */
  limit: number;
  /** The field of the configuration's `quotas` that sets it; undefined for quotas that AWS does not change. */
  setting?: QuotaName;
  /** What else the configuration can say if it is too small. */
  remedy?: string;
  /** Whether it is a rate: AWS throttles what exceeds it, and the functions retry. */
  isRate?: true;
  /** What to do beyond a limit of Latchkey itself, which AWS does not enforce. */
  advice?: string;
}

/**
 * The AWS quotas that deployments come closest to.
 * @param deployments all that share one account and AWS region
 * @param templates of all their stacks
 * @param quotas as configured, where they differ from the defaults
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html (secrets, rates)
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (concurrency)
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html (stacks)
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html (alarms)
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html (event patterns)
 */
export function quotaUse(
  deployments: readonly DeploymentConfiguration[],
  templates: readonly CountedTemplate[],
  quotas: Quotas = {},
): QuotaUse[] {
  const inventory = inventoryOf(templates);
  const sizes = deployments.map(sizeOf);
  const secrets = inventory.secrets + sum(deployments.map(adoptedSecrets));
  const fullness = (size: Size) => size.tokens / maxTokens(size);
  const [fullest] = [...sizes].sort((a, b) => fullness(b) - fullness(a));
  const writes = sum(sizes.map(maxWritesPerSec));
  const settable = (setting: QuotaName, what: string, used: number): QuotaUse => ({
    what,
    used,
    limit: quotas[setting] ?? DEFAULT_QUOTAS[setting],
    setting,
  });
  const concurrency = settable('concurrentExecutions', 'reserved concurrency', inventory.reservedConcurrency);
  return [
    { what: 'secret writes per second', used: writes, limit: 50, isRate: true },
    { what: 'secrets', used: secrets, limit: 500_000 },
    {
      what: 'tokens of the largest deployment',
      used: fullest?.tokens ?? 0,
      limit: maxTokens(fullest ?? { tokenRequestsPerSec: DEFAULT_TOKEN_REQUESTS_PER_SEC }),
      advice:
        'Beyond it, tokens may expire before a sweep renews them: split the deployment (docs/limits.md)',
    },
    settable('alarms', 'alarms', inventory.alarms + inventory.compositeAlarms),
    settable('stacks', 'stacks', templates.length),
    {
      ...concurrency,
      limit: Math.max(0, concurrency.limit - MIN_UNRESERVED_CONCURRENCY),
      remedy: `"reservedConcurrency": "none", because ${MIN_UNRESERVED_CONCURRENCY} of ${concurrency.limit} must stay unreserved`,
    },
    settable('eventPatternCharacters', 'characters in an event pattern', inventory.largestEventPattern),
  ];
}

/** The share of a quota above which its use is reported. */
const NOTABLE_SHARE = 0.8;

export function notableUses(uses: readonly QuotaUse[]): QuotaUse[] {
  return uses.filter(({ used, limit }) => used > NOTABLE_SHARE * limit);
}

/** The uses that AWS would refuse in the middle of a deployment. */
export function exceededUses(uses: readonly QuotaUse[]): QuotaUse[] {
  return uses.filter(
    ({ used, limit, isRate, advice }) => used > limit && isRate !== true && advice === undefined,
  );
}
