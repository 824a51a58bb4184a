import { type PolicyDocument } from '../account';

/** Who makes a request to the local account. */
export type Principal =
  /** The account's administrator (`arn:aws:iam::ACCOUNT:user/administrator`), with an identity policy that allows `*`. */
  | { kind: 'administrator'; accountId: string; arn: string }
  /** A session of a role. Its policies are those of the role at the time of the request, limited by its own policy. */
  | {
      kind: 'role-session';
      accountId: string;
      arn: string;
      roleArn: string;
      sessionName: string;
      sessionPolicy?: PolicyDocument;
    }
  /** An AWS service that acts on behalf of a resource, for example in a Lambda permission or a queue policy. */
  | { kind: 'service'; service: string; sourceArn: string; sourceAccount: string };

/** A session of a role. */
export type RolePrincipal = Extract<Principal, { kind: 'role-session' }>;

/** The principal of a service, such as `lambda.amazonaws.com`, that acts on behalf of a resource of the account. */
export function servicePrincipal(
  service: string,
  sourceArn: string,
  { accountId: sourceAccount }: { readonly accountId: string },
): Principal {
  return { kind: 'service', service, sourceArn, sourceAccount };
}

/** The account's root user, with the administrator's permissions. */
export function rootPrincipal({ accountId }: { readonly accountId: string }): Principal {
  return { kind: 'administrator', accountId, arn: `arn:aws:iam::${accountId}:root` };
}

/** The unique id that a caller has for STS and API Gateway. */
export function userIdOf(principal: Exclude<Principal, { kind: 'service' }>): string {
  return principal.kind === 'role-session' ? `AROALOCAL:${principal.sessionName}` : 'AIDALOCALADMINISTRATOR';
}
