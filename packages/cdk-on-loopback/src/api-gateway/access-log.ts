import { type Account } from '../account';
import { type WriteLogs } from '../functions/function-log';
import { type Clock, type Reporter } from '../interfaces';
import { assumeAsService } from '../service-roles';
import { type ContextVariables, substitute } from './context-variables';
import { apiArn } from './exchange';
import { type RestApi, type RestApis, type Stage } from './rest-api';

interface AccessLogOptions {
  account: Account;
  apis: RestApis;
  clock: Clock;
  reporter: Reporter;
  writeLogs: WriteLogs;
}

/**
 * Writes one line for each request to a stage with an access log, with the permissions of the account's logging role.
 * A line holds the `$context` variables in the format, never headers or bodies.
 * @see API Gateway developer guide, set-up-logging and api-gateway-variables-for-access-logging
 */
export class AccessLog {
  private readonly options: AccessLogOptions;
  private hasWarned = false;

  constructor(options: AccessLogOptions) {
    this.options = options;
  }

  /** Writes a line. If that fails, it warns once, and the request is not affected. */
  write(api: RestApi, stage: Stage, variables: ContextVariables): void {
    if (!stage.accessLog) return;
    const { account, apis, clock, reporter, writeLogs } = this.options;
    const { logGroupName, format } = stage.accessLog;
    const message = substitute(
      format,
      (name) => escaped(variables.get(name)),
      () => '-',
    );
    try {
      const sourceArn = `${apiArn(account, api)}/${stage.name}`;
      const session = assumeAsService(account, apis.cloudWatchRoleArn ?? '', 'apigateway', {
        service: 'apigateway.amazonaws.com',
        sourceArn,
      });
      writeLogs(account, session, logGroupName, [{ timestampMs: clock.nowMs(), message }]);
    } catch (error) {
      if (!this.hasWarned)
        reporter.warning(`API Gateway cannot write access logs: ${(error as Error).message}`);
      this.hasWarned = true;
    }
  }
}

/** Escapes a value for use in a JSON string on one line. */
function escaped(value: string | undefined): string {
  return value === undefined ? '-' : JSON.stringify(value).slice(1, -1);
}
