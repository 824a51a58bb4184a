import { type Document, isScalar, parseDocument, visit } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  steps?: Step[];
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  concurrency?: unknown;
  jobs: Record<string, Job>;
}

const PINNED_ACTION = /^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/;
const PINNED_IMAGE = /^docker:\/\/\S+:v?\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/;
const VERSION = /^ v\d+\.\d+\.\d+$/;
/** They run with the repository's rights, on code or artifacts that anybody may have proposed. */
const TRUSTING_TRIGGERS = ['pull_request_target', 'workflow_run', 'issue_comment'];
/** Installs packages, or runs code of the project or of a package. */
const RUNS_CODE = /\bnpm (ci|install|i|run|test|start|exec)\b|\bnpx\b|\.ci\/run|\bnode (?!-p )/;

/** Returns each action of a workflow with its digest, such as `actions/checkout@3d3c…`. */
export function actionsOf(text: string): string[] {
  return Object.values((parseDocument(text).toJS() as Workflow).jobs)
    .flatMap(({ steps = [] }) => steps)
    .flatMap(({ uses }) => uses ?? []);
}

/** Returns what a workflow does that the project's rules forbid, one line each. */
export function violationsOf(text: string): string[] {
  const document = parseDocument(text);
  const workflow = document.toJS() as Workflow;
  return [
    ...TRUSTING_TRIGGERS.filter((trigger) => trigger in workflow.on).map((trigger) => `runs on ${trigger}`),
    ...(Object.keys(workflow.permissions ?? { 'all by default': '' }).length > 0
      ? ['grants permissions to all jobs']
      : []),
    ...(workflow.concurrency === undefined ? ['has no concurrency'] : []),
    ...Object.entries(workflow.jobs).flatMap(([name, job]) => violationsOfJob(name, job)),
    ...unpinned(document),
  ];
}

function violationsOfJob(name: string, job: Job): string[] {
  const steps = job.steps ?? [];
  const writes = Object.values(job.permissions ?? {}).includes('write');
  return [
    ...(job.permissions === undefined ? [`${name} states no permissions`] : []),
    ...(job['timeout-minutes'] === undefined ? [`${name} has no timeout`] : []),
    ...(writes && steps.some(({ run = '' }) => RUNS_CODE.test(run)) ? [`${name} writes and runs code`] : []),
    ...steps.flatMap((step) => [
      ...(step.uses?.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false
        ? [`${name} leaves its token in the checkout`]
        : []),
      // The shell would run what an expression inserts. An environment variable is only text.
      ...(step.run?.includes('${{') ? [`${name} inserts an expression into a script`] : []),
      ...(/\bdocker (run|pull)\b/.test(step.run ?? '') && !/@sha256:[0-9a-f]{64}\b/.test(step.run!)
        ? [`${name} runs an image that can change`]
        : []),
    ]),
  ];
}

/** An action's tag can be moved to other code, a digest cannot. Its comment says which version it is. */
function unpinned(document: Document): string[] {
  const found: string[] = [];
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'uses' || !isScalar(value)) return;
      const uses = String(value.value);
      if (PINNED_IMAGE.test(uses)) return;
      if (!PINNED_ACTION.test(uses)) found.push(`${uses} is not pinned`);
      else if (!VERSION.test(value.comment ?? '')) found.push(`${uses} has no version`);
    },
  });
  return found;
}
