import { type System } from './system';
import { arnOf, role, tagsOf } from './templates';

/** A function with the logical id `Function`, which may do nothing, not even log. @param code exports `handler` */
export const plainFunction = (system: System, code: string) => ({
  FunctionRole: role(system, 'lambda.amazonaws.com', [{ Effect: 'Deny', Action: '*', Resource: '*' }]),
  Function: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      ...{ Code: { ZipFile: code }, Handler: 'index.handler', Runtime: 'nodejs22.x' },
      ...{ Timeout: 10, Role: arnOf('FunctionRole'), Tags: tagsOf(system) },
    },
  },
});
