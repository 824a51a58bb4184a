import { type Clock } from '../interfaces';
import { type Exchange } from './exchange';
import { GatewayFailure } from './gateway-response';
import { valueOf } from './incoming-request';
import { type Throttling } from './throttling';
import { type Quota, type QuotaPeriod, type UsagePlans } from './usage-plans';

/** Holds the callers of methods that require an API key to the usage plans of their keys, on the run's clock. */
export class UsageMetering {
  private readonly usage: UsagePlans;
  private readonly throttling: Throttling;
  private readonly clock: Clock;
  /** Requests of a key in the period that it is in, by plan and key. */
  private readonly counts = new Map<string, { periodStartMs: number; requests: number }>();

  constructor(usage: UsagePlans, throttling: Throttling, clock: Clock) {
    this.usage = usage;
    this.throttling = throttling;
    this.clock = clock;
  }

  /**
   * Counts a request, once its caller is authorized: an authorizer may be who tells the key. What is throttled uses up no quota.
   * @param usageIdentifierKey what a Lambda authorizer answered
   * @throws {GatewayFailure} INVALID_API_KEY for a key without a plan for the stage; THROTTLED; QUOTA_EXCEEDED
   * @see API Gateway developer guide, api-gateway-api-key-source, api-gateway-api-usage-plans
   */
  admit(exchange: Exchange, usageIdentifierKey: string | undefined): void {
    const { api, stage, request, route, variables } = exchange;
    if (!route.method.isApiKeyRequired) return;
    const isSent = stage.definition.apiKeySource === 'HEADER';
    const value = isSent ? valueOf(request.headers, 'x-api-key') : usageIdentifierKey;
    const found = this.usage.find(value, api.id, stage.name);
    if (!found) throw new GatewayFailure('INVALID_API_KEY', 'ForbiddenException', 'Forbidden');
    const { key, plan } = found;
    exchange.apiKey = key;
    variables.set('identity.apiKeyId', key.id);
    const member = `plan ${plan.id} ${key.id}`;
    if (plan.throttle && !this.throttling.take(member, plan.throttle)) {
      throw new GatewayFailure('THROTTLED', 'TooManyRequestsException', 'Too Many Requests');
    }
    if (plan.quota && !this.isWithin(plan.quota, member)) {
      throw new GatewayFailure('QUOTA_EXCEEDED', 'LimitExceededException', 'Limit Exceeded');
    }
  }

  private isWithin({ limit, period }: Quota, member: string): boolean {
    const periodStartMs = startOfPeriod(period, this.clock.nowMs());
    const last = this.counts.get(member);
    const requests = last?.periodStartMs === periodStartMs ? last.requests : 0;
    if (requests >= limit) return false;
    this.counts.set(member, { periodStartMs, requests: requests + 1 });
    return true;
  }
}

/**
 * When the period began that a time is in: midnight UTC of the day, of its Sunday, or of the first of the month.
 * @see AWS CloudFormation Template Reference, AWS::ApiGateway::UsagePlan QuotaSettings
 */
function startOfPeriod(period: QuotaPeriod, timeMs: number): number {
  const time = new Date(timeMs);
  const [year, month, date] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  switch (period) {
    case 'DAY':
      return Date.UTC(year, month, date);
    case 'WEEK':
      return Date.UTC(year, month, date - time.getUTCDay());
    case 'MONTH':
      return Date.UTC(year, month);
  }
}
