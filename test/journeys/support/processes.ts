import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The ids of all processes that a process has started, and they in turn. */
export function descendants(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (parent: number): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** What a process was started with: its arguments and its environment. Both are empty once it has ended. */
export function startedWith(pid: number): { args: string[]; environment: Record<string, string> } {
  const variables = entriesOf(pid, 'environ').map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)] as const;
  });
  return { args: entriesOf(pid, 'cmdline'), environment: Object.fromEntries(variables) };
}

/** @see proc(5): entries end with a NUL */
function entriesOf(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}
