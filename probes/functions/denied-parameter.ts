import { GetParameterCommand } from '@aws-sdk/client-ssm';

import { type Probe, verdictOf } from '../probe';
import { allow, arnOf, outputs, role, withStack } from '../templates';

/** A new policy is in force after some seconds. */
const IN_FORCE_SEC = 60;

export const deniedParameter: Probe = {
  id: 'denied-parameter',
  group: 'functions',
  subject: 'The denial of `ssm:GetParameter`',
  reliedOn: "names an ARN of the caller's account and region, also for a missing parameter",
  otherwise: 'a secret is described instead; without that right, the command refuses',
  sources: ['https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html'],
  look: (system) => {
    const { partition, region, accountId } = system.place;
    const ownParameters = `arn:${partition}:ssm:${region}:${accountId}:parameter/`;
    const allowed = `/${system.prefix}/allowed`;
    const other = `/${system.prefix}/other`;
    const parameter = (Name: string) => ({
      Type: 'AWS::SSM::Parameter',
      Properties: { Name, Type: 'String', Value: 'one', Tags: { 'latchkey:prove': system.prefix } },
    });
    const template = {
      Resources: {
        Allowed: parameter(allowed),
        Other: parameter(other),
        Reader: role(system, undefined, [
          allow(['ssm:GetParameter'], {
            'Fn::Sub': `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${allowed}`,
          }),
        ]),
      },
      Outputs: outputs({ RoleArn: arnOf('Reader') }),
    };
    return withStack(system, template, async ({ RoleArn = '' }) => {
      const { ssm } = await system.as(RoleArn);
      const outcomeOf = (Name: string) =>
        ssm.send(new GetParameterCommand({ Name })).then(
          () => 'read',
          ({ name, message }: Error) =>
            `${name} ${message.includes(ownParameters) ? 'with' : 'without'} such an ARN`,
        );
      const mayRead = async () => ((await outcomeOf(allowed)) === 'read' ? true : undefined);
      const isInForce = await system.time.until(mayRead, { withinSec: IN_FORCE_SEC });
      const denials = [await outcomeOf(other), await outcomeOf(`/${system.prefix}/missing`)];
      return verdictOf(
        isInForce === true && denials.every((denial) => denial === 'AccessDeniedException with such an ARN'),
        `one that exists: ${denials[0]}; a missing one: ${denials[1]}`,
      );
    });
  },
};
