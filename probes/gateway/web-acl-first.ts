import { notRun, type Probe, verdictOf } from '../probe';
import { withRestApi } from '../rest-api';
import { association, blockedBy, LIMITS, webAcl } from '../web-acl';

export const webAclFirst: Probe = {
  id: 'web-acl-first',
  group: 'gateway',
  subject: "The order of a web ACL and the stage's throttling",
  reliedOn: "the web ACL first: requests that `ratePerIp` blocks do not use up the stage's limits",
  otherwise: '`ratePerIp` only saves function runs',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-control-access-aws-waf.html',
    'https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html',
  ],
  slow: true,
  look: (system) => {
    const resources = { Acl: webAcl(system, 'one'), Association: association('Acl') };
    return withRestApi(system, { stage: { MethodSettings: LIMITS }, more: { resources } }, async (api) => {
      await api.ready('/one');
      const types = await blockedBy(system, api);
      if (types.length === 0) return notRun('the web ACL blocked nothing within 5 minutes');
      return verdictOf(
        types.length === 1,
        `once the web ACL blocks, bursts over the stage's limit get ${types.join(' and ')}`,
      );
    });
  },
};
