import { type Threat } from './threat';

/** What other programs on the machines of operators and developers can try. */
export const AT_THE_DESK: readonly Threat[] = [
  {
    id: 'T14',
    name: 'Secrets on an operator’s machine',
    assets: ['admin sessions', 'client secrets', 'API keys'],
    attackers: ['local process'],
    boundary: 'operators',
    abuse:
      'A secret that an operator enters is visible in arguments, shell history, environment, temporary files or output.',
    control:
      'Secrets come from a hidden prompt or standard input. Arguments that look like one are refused with exit code 64, and are not repeated. A new key goes straight to Secrets Manager.',
    proofs: {
      'test/journeys/command-canaries.test.ts': [
        'every command, with valid and invalid credentials › shows no credential except the access keys in local.json and the token that a command is asked to reveal',
        'every command, with valid and invalid credentials › exits as expected in every run, so that each command was exercised',
      ],
      'test/cli/argument-secrecy.test.ts': [
        'a secret in the arguments › is never printed, whatever its position',
      ],
      'test/cli/secret-arguments.test.ts': [
        'secrets in the arguments › are refused with exit code 64, and not printed: %j',
      ],
    },
    holes: {
      'test/journeys/command-canaries.test.ts': [
        'every command, with valid and invalid credentials › detects a leak through every channel of the command',
      ],
    },
    remains:
      'A secret in an argument is already in the shell’s history when the command refuses it. A process of the same user can read the command’s memory.',
  },
  {
    id: 'T18',
    name: 'A configuration that breaks every function',
    assets: ['availability'],
    attackers: ['operator'],
    boundary: 'synthesis',
    abuse:
      'A setting that synthesis accepts and functions refuse stops everything at once, token renewal included.',
    control:
      'Synthesis refuses what a function would refuse, by the same code. Only the restore function checks the settings of restore.',
    proofs: {
      'test/threats/hostile-urls.test.ts': [
        'T2: synthesis rejects a hostile address › as the path %j of the restore operation',
        'T2: functions reject a hostile address in a deployment file that was changed after synthesis › as the path %j of the restore operation, but only in the function that uses it',
        'T2: with another path of the restore operation in its deployment file, › %s works, because it does not restore',
        'T2: with another path of the restore operation in its deployment file, › the restore function refuses',
      ],
      'test/fuzz/configuration.test.ts': [
        'a configuration that is accepted can be synthesized and works at run time; any other is refused in one message',
      ],
    },
    holes: {
      'test/fuzz/configuration.test.ts': [
        'turns red when › a wrong path of the restore operation is accepted',
        'turns red when › a refusal does not say what is allowed',
      ],
    },
    remains: 'A setting that is valid and wrong, such as the address of another platform, is deployed.',
  },
  {
    id: 'T27',
    name: 'Unnoticed weaknesses and telemetry of tools',
    assets: ['client secrets', 'availability'],
    attackers: ['dependency'],
    boundary: 'synthesis',
    abuse:
      'A template is deployed with a weakness that a known rule would name, or a tool reports from a synthesis to its vendor.',
    control:
      'Three packs of cdk-nag check every synthesis; each exception is on one resource, with its reason. `cdk.json` turns the telemetry of the CDK CLI off.',
    proofs: {
      'test/lib/stacks/cdk-nag.test.ts': [
        'the packs of cdk-nag › reports nothing with %s',
        'acknowledgements › are on single resources, never on a stack or the app',
        'acknowledgements › are all necessary',
      ],
      'test/lib/cdk-commands.test.ts': ['`cdk` in the folder of %s sends no telemetry'],
    },
    holes: {
      'test/lib/stacks/cdk-nag.test.ts': ['the packs of cdk-nag › each report an insecure stack'],
    },
    remains: 'Rules find what they know. The reasons of exceptions are read by people, not by a test.',
  },
  {
    id: 'T25',
    name: 'Other programs on a developer’s machine',
    assets: ['API keys', 'access tokens', 'availability'],
    attackers: ['local process'],
    boundary: 'laptop',
    abuse:
      'Another program takes an event of a function, with the Authorization of its caller, or a web page commands the console, the sandbox or the AWS endpoint, also under a name that was made to lead to this machine.',
    control:
      'Servers listen on loopback and check the Host header. Each function’s Runtime API has a random path. Console and sandbox refuse requests of other sites.',
    proofs: {
      'test/threats/local-programs.test.ts': [
        'T25: the event of a function, with the Authorization of its caller, › is not given to a program that finds the port',
        'T25: the event of a function, with the Authorization of its caller, › is not given to a page under a name that was made to lead here',
      ],
      'test/local/functions/runtime-api.test.ts': [
        'an event › goes to nobody without %s',
        'no result is accepted from %s',
      ],
      'test/local/console/origin-rules.test.ts': ['a request of %s is rejected'],
      'test/journeys/threats.test.ts': [
        'T25: another program or page on this machine › takes no event of a function that it finds by its port',
        'T25: another program or page on this machine › reaches neither the AWS endpoint nor the console by another name',
        'T25: another program or page on this machine › commands no sandbox from a page of another site',
      ],
    },
    holes: {
      'test/threats/local-programs.test.ts': [
        'T25: the event of a function, with the Authorization of its caller, › turns red when a process has no path of its own',
      ],
    },
    remains:
      'A program of the same user reads the path from the environment of a process, and the access keys from `local.json`. All credentials are those of the sandbox.',
  },
  {
    id: 'T28',
    name: 'Deletion by a tag',
    assets: ['API keys', 'client secrets', 'availability'],
    attackers: ['internal service', 'operator'],
    boundary: 'operators',
    abuse:
      'Somebody puts the tag of a run of `latchkey prove` on a secret or key in use, and the next removal deletes it without a recovery window.',
    control:
      'A removal takes what has the name of its run, and of keys what CloudFormation lists in its stacks and is tagged. It lists everything before it asks. `--clean` removes another’s run, or one that still runs, only if it is named.',
    proofs: {
      'test/prove/clean-up.test.ts': [
        'the removal of a run › of whatever somebody tagged as a run’s › T28: deletes neither the secret nor the key, and names both',
        'the removal of a run › of whatever somebody tagged as a run’s › lists beforehand what it removes, and nothing else',
      ],
      'test/prove/run-record.test.ts': ['a run that %s is removed only as its owner may expect'],
    },
    holes: {
      'test/prove/clean-up.test.ts': [
        'the removal of a run › of whatever somebody tagged as a run’s › T28: turns red with a record that has the key although no stack lists it',
      ],
    },
    remains:
      'Anybody who may create a secret whose name begins with the prefix of a run has it deleted with that run. CloudFormation does not say who began a run of another machine.',
  },
];
