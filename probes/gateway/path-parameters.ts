import { asReliedOn, type Probe } from '../probe';
import { withRestApi } from '../rest-api';

export const pathParameters: Probe = {
  id: 'path-parameters',
  group: 'gateway',
  subject: 'Path parameters that reach a function',
  reliedOn: 'as sent, or decoded',
  otherwise: 'nothing: right either way',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html',
    'https://github.com/aws/aws-sam-cli/issues/771',
  ],
  look: (system) =>
    withRestApi(system, {}, async (api) => {
      const { body } = await api.ready('/%6Fne');
      const { id } = (JSON.parse(body) as { pathParameters: { id: string } }).pathParameters;
      return asReliedOn(`%6Fne reaches the function as ${id}: ${id === 'one' ? 'decoded' : 'as sent'}`);
    }),
};
