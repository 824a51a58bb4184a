import { asReliedOn, differs, notRun, type Probe } from '../probe';
import { warmingUpTemplate } from '../silent-alarm';
import { DeploymentFailed } from '../system';
import { withStack } from '../templates';

export const warmUpElsewhere: Probe = {
  id: 'warm-up-elsewhere',
  group: 'alarms',
  subject: '`WarmUpConfiguration` in the partitions aws-cn and aws-us-gov',
  reliedOn: 'CloudFormation knows it there as in the partition aws',
  otherwise: 'the deployment fails there',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-warm-up.html'],
  async look(system) {
    const { partition } = system.place;
    if (partition === 'aws') return notRun('this is the partition aws');
    try {
      return await withStack(system, warmingUpTemplate(system), () =>
        Promise.resolve(asReliedOn(`an alarm with it was created in ${partition}`)),
      );
    } catch (error) {
      if (!(error instanceof DeploymentFailed)) throw error;
      return differs(`an alarm with it was not created in ${partition}`);
    }
  },
};
