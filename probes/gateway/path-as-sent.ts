import { type Probe, verdictOf } from '../probe';
import { type ApiAnswer, withRestApi } from '../rest-api';
import { allow, arnOf, role } from '../templates';

/** Where the restore function looks for what could evade a policy; a status if the request was refused. */
function seenPath({ status, body }: ApiAnswer, name: 'path' | 'contextPath'): string {
  return status === 200 ? (JSON.parse(body) as Record<typeof name, string>)[name] : `status ${status}`;
}

export const pathAsSent: Probe = {
  id: 'path-as-sent',
  group: 'gateway',
  subject: 'The path of a request in policies, and in the event of the function: as sent, or decoded',
  reliedOn:
    'the event has the path as sent, with an encoded letter in `path` and with `//` in `requestContext.path`: in iam mode, both are refused',
  otherwise: 'such a spelling evades a policy that denies a tenant; one that allows still holds',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-control-access-using-iam-policies-to-invoke-api.html',
    'https://github.com/aws/aws-sam-cli/issues/771',
  ],
  look: (system) => {
    const item = (id: string) => ({
      'Fn::Sub': `arn:\${AWS::Partition}:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${Api}/v1/GET/${id}`,
    });
    const caller = role(system, undefined, [
      allow(['execute-api:Invoke'], item('*')),
      { ...allow(['execute-api:Invoke'], item('one')), Effect: 'Deny' },
    ]);
    const more = { resources: { Caller: caller }, outputs: { CallerArn: arnOf('Caller') } };
    return withRestApi(system, { authorization: 'AWS_IAM', more }, async (api) => {
      const signedBy = { roleArn: api.outputs.CallerArn! };
      await api.ready('/two', { signedBy });
      await api.ready('/one', { signedBy }, ({ status }) => status === 403);
      const encoded = seenPath(await api.get('/%6Fne', { signedBy }), 'path');
      const doubled = seenPath(await api.get('//one', { signedBy }), 'contextPath');
      return verdictOf(
        /^status|%/.test(encoded) && /^status|\/\//.test(doubled),
        `under a policy that denies /one, /%6Fne reaches the function as ${encoded}, and //one as ${doubled}`,
      );
    });
  },
};
