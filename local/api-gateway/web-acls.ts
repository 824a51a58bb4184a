import { type Clock } from '../interfaces';

/** A rule that limits the requests of each IP address. */
export interface RateRule {
  name: string;
  /** Requests in the window. */
  limit: number;
  windowSec: number;
}

/** A web ACL that allows what none of its rules blocks. */
export interface WebAcl {
  arn: string;
  rules: readonly RateRule[];
}

/** The account's web ACLs, and the stages that they check. */
export class WebAcls {
  /** By ARN. */
  readonly acls = new Map<string, WebAcl>();
  /** ARNs by stage, as `API_ID/STAGE`. */
  readonly ofStages = new Map<string, string>();
}

/**
 * Applies the rate rules of web ACLs, on the run's clock. Blocked requests count too.
 * @see https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html
 */
export class WebAclGuard {
  private readonly webAcls: WebAcls;
  private readonly clock: Clock;
  /** Times of the last requests up to the limit, oldest first, by web ACL, rule and address. */
  private readonly times = new Map<string, number[]>();

  constructor(webAcls: WebAcls, clock: Clock) {
    this.webAcls = webAcls;
    this.clock = clock;
  }

  /**
   * Counts a request to a stage.
   * @returns false if the stage's web ACL blocks it
   */
  admits(apiId: string, stageName: string, sourceIp: string): boolean {
    const arn = this.webAcls.ofStages.get(`${apiId}/${stageName}`) ?? '';
    const rules = this.webAcls.acls.get(arn)?.rules ?? [];
    return rules.every((rule) => this.isWithin(`${arn} ${rule.name} ${sourceIp}`, rule));
  }

  private isWithin(counter: string, { limit, windowSec }: RateRule): boolean {
    const nowMs = this.clock.nowMs();
    const earlier = (this.times.get(counter) ?? []).filter((atMs) => atMs > nowMs - windowSec * 1000);
    this.times.set(counter, [...earlier, nowMs].slice(-limit));
    return earlier.length < limit;
  }
}
