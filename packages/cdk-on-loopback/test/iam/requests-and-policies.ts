import { type PolicyDocument, type PolicyStatement } from '../../src/account';
import { type Decision, evaluatePolicies, type Policies, type PolicyRequest } from '../../src/iam/evaluate';
import { type Principal } from '../../src/iam/principal';

export const ACCOUNT = '111111111111';
export const OTHER_ACCOUNT = '222222222222';
export const SECRET = `arn:aws:secretsmanager:eu-west-1:${ACCOUNT}:secret:latchkey/staging/mea/t1/api-key-AbCdEf`;
const KEY = `arn:aws:kms:eu-west-1:${ACCOUNT}:key/1`;
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/path/reader`;
export const SESSION = `arn:aws:sts::${ACCOUNT}:assumed-role/reader/one`;
export const READ = 'secretsmanager:GetSecretValue';

const session: Principal = {
  kind: 'role-session',
  accountId: ACCOUNT,
  arn: SESSION,
  roleArn: ROLE,
  sessionName: 'one',
};
export const stranger: Principal = {
  kind: 'role-session',
  accountId: OTHER_ACCOUNT,
  arn: `arn:aws:sts::${OTHER_ACCOUNT}:assumed-role/app/one`,
  roleArn: `arn:aws:iam::${OTHER_ACCOUNT}:role/app`,
  sessionName: 'one',
};
export const scheduler: Principal = {
  kind: 'service',
  service: 'scheduler.amazonaws.com',
  sourceArn: `arn:aws:scheduler:eu-west-1:${ACCOUNT}:schedule/default/sweep`,
  sourceAccount: ACCOUNT,
};

export const readSecret: PolicyRequest = {
  principal: session,
  action: READ,
  resource: SECRET,
  resourceAccount: ACCOUNT,
};
export const useKey: PolicyRequest = { ...readSecret, action: 'kms:Decrypt', resource: KEY };
export const assumeRole: PolicyRequest = { ...readSecret, action: 'sts:AssumeRole', resource: ROLE };
export const allowAll: PolicyStatement = { Effect: 'Allow', Action: '*', Resource: '*' };
export const denyAll: PolicyStatement = { Effect: 'Deny', Action: '*', Resource: '*' };
export const root = { AWS: `arn:aws:iam::${ACCOUNT}:root` };

export const policy = (...statements: PolicyStatement[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: statements,
});
export const named = (...statements: PolicyStatement[]) => ({
  name: 'inline',
  document: policy(...statements),
});
export const identity = (...statements: PolicyStatement[]): Policies => ({
  identity: [named(...statements)],
});
export const resourceOnly = (...statements: PolicyStatement[]): Policies => ({
  identity: [],
  resource: policy(...statements),
});
export const isAllowed = (request: PolicyRequest, policies: Policies) =>
  evaluatePolicies(request, policies).allowed;
export const messageOf = (decision: Decision) => (decision.allowed ? 'allowed' : decision.message);
