import { readdirSync, readFileSync } from 'node:fs';

/** The ids of all processes that a process has started, and they in turn. */
export function descendants(pid: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const parent = parentOf(entry);
    if (parent !== undefined) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(entry)]);
  }
  const below = (parent: number): number[] =>
    (childrenOf.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Undefined for what is no process, or none any more. @see proc_pid_stat(5): the name before may hold anything */
function parentOf(entry: string): number | undefined {
  if (!/^\d+$/.test(entry)) return undefined;
  try {
    return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
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
