import { differs, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';

export const permissionWithWildcard: Probe = {
  id: 'permission-with-wildcard',
  group: 'rotation',
  subject: "A wildcard in `aws:SourceArn` of the function's permission",
  reliedOn: '`ArnLike` accepts it: one statement for all secrets of the deployment',
  otherwise: 'no rotation runs',
  sources: [
    'https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot_rotation.html',
  ],
  look: (system) => {
    const sourceArn = {
      'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${system.prefix}/*`,
    };
    return withRotation(system, { fails: 'createSecret', sourceArn }, async (rotation) => {
      try {
        const versionId = await rotation.rotate();
        const step = await rotation.step('createSecret', versionId);
        return verdictOf(step !== undefined, `the function was ${step ? '' : 'not '}called`);
      } catch (error) {
        if ((error as Error).name !== 'AccessDeniedException') throw error;
        return differs('RotateSecret: AccessDeniedException');
      }
    });
  },
};
