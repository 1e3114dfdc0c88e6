/** Tools of a model: what is started, what it gets, and what is left of it. */

import type { Mutant } from '../mutant.ts'

export const tools: readonly Mutant[] = [
  {
    name: 'passes all variables on to tools',
    file: 'tools/environment.ts',
    search: 'passed.test(name) ||',
    replacement: 'true ||',
    tests: ['tools/commands.e2e.test.ts', 'tools/servers.e2e.test.ts'],
    breaks: ['own origin'],
  },
  {
    name: 'expands variables of syn in a URL',
    file: 'tools/environment.ts',
    search: '/^SYN_/i.test(name)',
    replacement: '/^SYN_$/i.test(name)',
    tests: ['tools/tools-file.test.ts'],
    breaks: ['own origin', 'exit 2'],
  },
  {
    name: 'shows the rest of a key whose start was cut off',
    file: 'tools/command-tool.ts',
    search: 'secrets.mask(withoutCutWord(errors()))',
    replacement: 'secrets.mask(errors())',
    tests: ['tools/commands.e2e.test.ts'],
    breaks: ['masked key'],
  },
  {
    name: 'takes a result that was cut for a whole one',
    file: 'tools/tool.ts',
    search: 'Math.max(text.length, masked.length)',
    replacement: 'masked.length',
    tests: ['tools/commands.e2e.test.ts'],
  },
  {
    name: 'takes a value for an option if an empty one precedes it',
    file: 'tools/command-tool.ts',
    search: '/^[-@]/.test(filled)',
    replacement: '/^[-@]/.test(String(values[0]))',
    tests: ['tools/commands.e2e.test.ts'],
  },
  {
    name: 'leaves the path of a URL by ..',
    file: 'tools/command-tool.ts',
    search: '(\\.|%2e){1,2}',
    replacement: '(\\.|%2e){1}',
    tests: ['tools/commands.e2e.test.ts'],
  },
  {
    name: 'kills only the first process of a command',
    file: 'main.ts',
    search: "process.platform === 'win32' ? leader : -leader",
    replacement: 'leader',
    tests: ['tools/commands.e2e.test.ts'],
  },
  {
    name: 'leaves what a command started when it has exited',
    file: 'io/process/process-group.ts',
    search: "  child.on('exit', () => {\n    kill()",
    replacement: "  child.on('exit', () => {",
    tests: ['tools/commands.e2e.test.ts'],
  },
  {
    name: 'lets a server send without end',
    file: 'tools/server.ts',
    search: 'if (connection.left < 0) return fail(floodText)',
    replacement: 'if (connection.left === 0) return fail(floodText)',
    tests: ['tools/servers.e2e.test.ts'],
  },
  {
    name: 'takes tools with any name from a server',
    file: 'tools/server.ts',
    search: 'v.pipe(v.string(), v.regex(/^[\\w./-]{1,128}$/))',
    replacement: 'v.string()',
    tests: ['tools/servers.e2e.test.ts'],
    breaks: ['safe terminal'],
  },
  {
    name: 'allows the tools of both servers of one name',
    file: 'tools/open-tools.ts',
    search: 'if (other) throw new UsageError(`${name} may be',
    replacement: 'if (other && name === "") throw new UsageError(`${name} may be',
    tests: ['tools/servers.e2e.test.ts'],
    breaks: ['exit 2'],
  },
]
