import { type Log, type LogFields } from '../../../lambdas/shared/ports';

export class RecordingLog implements Log {
  readonly lines: ({ level: 'info' | 'warn' | 'error'; message: string } & LogFields)[] = [];

  info(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'info', message, ...fields });
  }

  warn(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'warn', message, ...fields });
  }

  error(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'error', message, ...fields });
  }
}
