import { buildBare, type Built, buildFunction, buildService, functionNames, sdkClientsIn } from '../build';
import { kilobytes, ratio } from '../figures';
import { type Answer, type Goal } from '../question';

/** Maximum size against the bare bundle. A service with the client library has the whole SDK. */
const FUNCTION_LIMIT = 0.8;
const SERVICE_LIMIT = 1.2;

/** Modules that slow down cold starts without enough benefit, by path. */
const UNWANTED: Record<string, RegExp> = {
  'zod classic': /node_modules\/zod\/(index|v3\/|v4\/index|v4\/classic\/)/,
  tracer: /node_modules\/(@aws-lambda-powertools\/tracer|aws-xray-sdk[^/]*)\//,
  undici: /node_modules\/undici\//,
  axios: /node_modules\/axios\//,
  'ajv at run time': /node_modules\/ajv\//,
};

/** Measures the size of the bundles, and lists what is in them. */
export async function bundles(): Promise<Answer> {
  const built = [...functionNames().map(buildFunction), buildService()];
  const compared = built.map((each) => ({ each, bare: buildBare(sdkClientsIn(each)) }));
  const unwanted = built.flatMap((each) => unwantedIn(each).map((what) => `${what} in ${each.name}`));
  return {
    tables: [
      {
        title: 'Bundles: size, and what it is made of',
        columns: [
          'bundle',
          'size',
          'bare bundle of the same SDK clients',
          'ratio',
          'largest parts but the SDK',
        ],
        rows: compared.map(({ each, bare }) => [
          each.name,
          kilobytes(each.bytes),
          `${kilobytes(bare.bytes)} (${bare.name})`,
          ratio(each.bytes, bare.bytes),
          partsOf(each),
        ]),
      },
    ],
    goals: [
      sizeGoal('size of each function', compared.slice(0, -1), FUNCTION_LIMIT),
      sizeGoal('size of a service', compared.slice(-1), SERVICE_LIMIT),
      {
        number: 7,
        subject: 'what is in a bundle',
        wanted: `no ${Object.keys(UNWANTED).join(', ')}; no ESM import of node:http`,
        measured: unwanted.length === 0 ? 'none' : unwanted.join('; '),
        isMet: unwanted.length === 0,
        isTimed: false,
      },
    ],
  };
}

function sizeGoal(subject: string, compared: readonly { each: Built; bare: Built }[], limit: number): Goal {
  const ratioOf = ({ each, bare }: (typeof compared)[number]) => each.bytes / bare.bytes;
  const largest = compared.reduce((a, b) => (ratioOf(a) > ratioOf(b) ? a : b));
  return {
    number: 6,
    subject,
    wanted: `<= ${limit}x the bare one`,
    measured: `at most ${ratio(largest.each.bytes, largest.bare.bytes)} (${largest.each.name})`,
    isMet: ratioOf(largest) <= limit,
    isTimed: false,
  };
}

/** The unwanted modules in a bundle. */
function unwantedIn({ metafile }: Built): string[] {
  const paths = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const named = Object.entries(UNWANTED).filter(([, pattern]) => paths.some((path) => pattern.test(path)));
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const importsHttp = imports.some(
    ({ path, kind }) => /^(node:)?http$/.test(path) && kind !== 'require-call',
  );
  return [...named.map(([name]) => name), ...(importsHttp ? ['ESM import of node:http'] : [])];
}

/** The three largest packages besides the SDK. Our own code counts as one. */
function partsOf({ metafile }: Built): string {
  const bytes = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = /.*node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(path)?.[1] ?? 'ours';
      if (/^(@aws-sdk|@aws|@smithy)\//.test(name)) continue;
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  }
  const largest = [...bytes].sort(([, a], [, b]) => b - a).slice(0, 3);
  return largest.map(([name, size]) => `${name} ${kilobytes(size)}`).join(', ');
}
