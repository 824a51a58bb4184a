/** Who makes a request to the local account. */
export type Principal =
  /** The account's administrator (`arn:aws:iam::ACCOUNT:user/administrator`): allowed everything by an identity policy of `*`. */
  | { kind: 'administrator'; accountId: string; arn: string }
  /** A session of a role: its policies are the role's at the time of the request. */
  | { kind: 'role-session'; accountId: string; arn: string; roleArn: string; sessionName: string }
  /** An AWS service that acts for a resource, as a Lambda permission or a queue policy names it. */
  | { kind: 'service'; service: string; sourceArn: string; sourceAccount: string };
