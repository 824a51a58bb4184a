import { notRun, type Probe } from '../probe';

export const stepFunctionsContentType: Probe = {
  id: 'step-functions-content-type',
  group: 'gateway',
  subject: "The `Content-Type` of a request of Step Functions' API Gateway integration with `RequestBody`",
  reliedOn: 'the one that the task names, once',
  otherwise: 'the restore API answers 415 and modifies nothing',
  sources: ['https://docs.aws.amazon.com/step-functions/latest/dg/connect-api-gateway.html'],
  look: () =>
    Promise.resolve(notRun('by hand: deploy the example `step-functions`, and restore one content with it')),
};
