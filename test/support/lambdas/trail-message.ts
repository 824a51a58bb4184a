/** A message of the queue of changes, about a call that named a secret so. */
export function trailMessage(secretId: unknown, eventName = 'PutSecretValue'): { body: string } {
  const detail = { eventSource: 'secretsmanager.amazonaws.com', eventName, requestParameters: { secretId } };
  return {
    body: JSON.stringify({
      source: 'aws.secretsmanager',
      'detail-type': 'AWS API Call via CloudTrail',
      detail,
    }),
  };
}
