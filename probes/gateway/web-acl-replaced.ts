import { asReliedOn, notRun, type Probe } from '../probe';
import { restApiTemplate, withRestApi } from '../rest-api';
import { association, blockedBy, LIMITS, webAcl } from '../web-acl';

/** The rate of the address must fall before the other web ACL can show that it blocks. */
const PAUSE_SEC = 120;

export const webAclReplaced: Probe = {
  id: 'web-acl-replaced',
  group: 'gateway',
  subject: 'A web ACL association that CloudFormation replaces: another `webAclArn`, or `ratePerIp` instead',
  reliedOn:
    'either: the page says to deploy without one in between, because removing the old association may remove the new one',
  otherwise: 'nothing: right either way',
  sources: [
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-wafv2-webaclassociation.html',
    'https://github.com/pulumi/pulumi-aws/issues/4782',
  ],
  slow: true,
  look: (system) => {
    const settingsWith = (acl: string) => ({
      stage: { MethodSettings: LIMITS },
      more: {
        resources: {
          One: webAcl(system, 'one'),
          Other: webAcl(system, 'other'),
          Association: association(acl),
        },
      },
    });
    return withRestApi(system, settingsWith('One'), async (api) => {
      await api.ready('/one');
      if ((await blockedBy(system, api)).length === 0)
        return notRun('the first web ACL blocked nothing within 5 minutes');
      await system.stacks.deploy({
        name: system.prefix,
        template: restApiTemplate(system, settingsWith('Other')),
      });
      await system.time.pass(PAUSE_SEC);
      const isChecked = (await blockedBy(system, api)).length > 0;
      return asReliedOn(
        isChecked
          ? 'the other web ACL checks the stage'
          : 'no web ACL checks the stage: the step between is needed',
      );
    });
  },
};
