import { PublicPolicyException, PutResourcePolicyCommand } from '@aws-sdk/client-secrets-manager';

import { type Probe, verdictOf } from '../probe';

/** Of nobody. The secret has no value. */
const ORGANIZATION = 'o-0000000000';

export const organizationPolicy: Probe = {
  id: 'organization-policy',
  group: 'store',
  subject: 'A secret’s policy that allows everybody of an organization, by `aws:PrincipalOrgID`',
  reliedOn:
    'is accepted without `BlockPublicPolicy`; with it, AWS may take it for public, so that `readerOrganizations` turns it off',
  otherwise: 'the stacks of tenants with `readerOrganizations` fail',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_secret-policy.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutResourcePolicy.html',
  ],
  async look(system) {
    const { accountId } = system.place;
    const { arn: SecretId } = await system.secret();
    const statement = {
      Effect: 'Allow',
      Principal: { AWS: '*' },
      Action: 'secretsmanager:GetSecretValue',
      Resource: SecretId,
      Condition: {
        StringEquals: { 'aws:PrincipalOrgID': [ORGANIZATION] },
        StringNotEquals: { 'aws:PrincipalAccount': accountId },
      },
    };
    const ResourcePolicy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    const isAccepted = async (BlockPublicPolicy: boolean): Promise<boolean> => {
      const command = new PutResourcePolicyCommand({ SecretId, ResourcePolicy, BlockPublicPolicy });
      try {
        await system.aws.secretsManager.send(command);
        return true;
      } catch (error) {
        if (error instanceof PublicPolicyException) return false;
        throw error;
      }
    };
    const [blocking, open] = [await isAccepted(true), await isAccepted(false)];
    const outcome = (accepted: boolean) => (accepted ? 'accepted' : 'refused as public');
    return verdictOf(open, `${outcome(open)} without BlockPublicPolicy, ${outcome(blocking)} with it`);
  },
};
