import { type Reporter } from '../interfaces';

/** A reporter that records everything. */
export class RecordingReporter implements Reporter {
  readonly steps: string[] = [];
  readonly lines: string[] = [];
  readonly warnings: string[] = [];

  step(text: string): void {
    this.steps.push(text);
  }

  functionLog(functionName: string, line: string): void {
    this.lines.push(`${functionName}: ${line}`);
  }

  warning(text: string): void {
    this.warnings.push(text);
  }
}
