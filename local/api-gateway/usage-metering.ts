import { type Clock } from '../interfaces';
import { type Exchange } from './exchange';
import { GatewayFailure } from './gateway-response';
import { valueOf } from './incoming-request';
import { type Throttling } from './throttling';
import { type Quota, type QuotaPeriod, type UsagePlans } from './usage-plans';

/** Enforces the usage plans of API keys, for methods that require one, on the run's clock. */
export class UsageMetering {
  private readonly usage: UsagePlans;
  private readonly throttling: Throttling;
  private readonly clock: Clock;
  /** The requests of each plan and key in the current period. */
  private readonly counts = new Map<string, { periodStartMs: number; requests: number }>();

  constructor(usage: UsagePlans, throttling: Throttling, clock: Clock) {
    this.usage = usage;
    this.throttling = throttling;
    this.clock = clock;
  }

  /**
   * Counts a request. Call it after authorization, because the authorizer may supply the key. A throttled request does not
   * count toward the quota.
   * @param usageIdentifierKey from the Lambda authorizer's result
   * @throws {GatewayFailure} INVALID_API_KEY if no plan of the key covers the stage; THROTTLED; QUOTA_EXCEEDED
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
 * The start of the period that contains a time: midnight UTC of its day, of its Sunday, or of the first of its month.
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
