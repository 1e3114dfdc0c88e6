/** What the program does differently on macOS and Windows, and the code that does it. */

import { directoryFor } from '../src/io/files/directories.ts'
import { prose } from './macros.ts'
import { list, type Section, subsection } from './mdoc.ts'

interface PlatformRow {
  readonly subject: string
  /** Absent where it is as on Linux. */
  readonly mac?: string
  readonly windows?: string
  /** For the test: paths below the folder of the project, each with what makes the difference there. */
  readonly code: Readonly<Record<string, RegExp>>
}

const mac = { platform: 'darwin', env: { HOME: '~' } } as const
const windows = { platform: 'win32', env: { APPDATA: '%APPDATA%', LOCALAPPDATA: '%LOCALAPPDATA%' } } as const

function directories(io: typeof mac | typeof windows): string {
  return `${directoryFor('config', io)} has the settings, ${directoryFor('cache', io)} the cache, and ${directoryFor('data', io)} conversations and the history. No XDG variable is read.`
}

export const platformRows: readonly PlatformRow[] = [
  {
    subject: 'Directories',
    mac: directories(mac),
    windows: directories(windows),
    code: { 'src/io/files/directories.ts': /'win32'[^]*'darwin'/ },
  },
  {
    subject: 'Permissions of files',
    windows: 'Files have the permissions of their folder. Modes are neither set nor checked.',
    code: { 'src/io/files/private.ts': /if \(user === undefined\) return undefined/ },
  },
  {
    subject: 'Key command',
    mac: 'The keychain prints a key with the command security, as syn-login(1) shows.',
    windows: 'cmd.exe runs the command.',
    code: { 'src/settings/key.ts': /shell: true/, 'src/commands/login.ts': /keychain of macOS/ },
  },
  {
    subject: 'Programs in the working directory',
    windows:
      'A program is looked for on PATH only: write .\\NAME for one that is there. With Node 20, a tool that is not on PATH is looked for there, too.',
    code: {
      'src/main.ts': /NoDefaultCurrentDirectoryInExePath/,
      'src/io/process/process-group.ts': /resolve\(cwd, folder/,
    },
  },
  {
    subject: 'Editor',
    windows: 'The default is notepad, and cmd.exe runs the command in VISUAL or EDITOR.',
    code: { 'src/io/process/editor.ts': /'win32' \? 'notepad'/ },
  },
  {
    subject: 'Clipboard',
    mac: '/copy uses pbcopy.',
    windows: '/copy asks the terminal to copy (OSC 52), as Windows Terminal does.',
    code: { 'src/io/process/clipboard.ts': /'darwin' \? \['pbcopy'\]/ },
  },
  {
    subject: 'ANSI colors',
    windows: '16 colors unless COLORTERM or TERM names more.',
    code: { 'src/terminal/style.ts': /term\.includes\('256'\) \? 2 : 1/ },
  },
  {
    subject: 'Git Bash and MSYS2',
    windows:
      'If syn finds pipes in place of the terminal, it has no chat, no questions and no color: use winpty syn, or Windows Terminal.',
    code: { 'src/main.ts': /isatty\(0\) \? 'terminal'/ },
  },
  {
    subject: 'Ctrl-Z',
    windows: 'It does nothing in the chat.',
    code: { 'src/terminal/line-editor/input-line.ts': /'win32'/ },
  },
  {
    subject: 'Ctrl-C while the output stands still',
    windows: 'While text is selected in a console, output waits, and Ctrl-C ends syn only afterwards.',
    code: { 'src/main.ts': /'win32'\) keepNonBlocking/ },
  },
  {
    subject: 'Signals',
    mac: "nohup is recognized, but not a shell that ignores the signal, as after trap '' HUP.",
    windows: 'When the window is closed, syn ends as after SIGHUP. taskkill ends it as SIGKILL does.',
    code: { 'src/main.ts': /\['SIGINT', 'SIGTERM', 'SIGHUP'\][^]*`\/proc\// },
  },
  {
    subject: 'Tools and MCP servers',
    windows:
      'A command may be a batch file, such as npx; an argument of it with a % or a line break is refused. A tool also gets variables such as APPDATA and SYSTEMROOT. If it ends by itself, what it left running goes on.',
    code: {
      'src/io/process/process-group.ts': /'win32' && passedOnWindows/,
      'src/main.ts': /'taskkill'/,
    },
  },
  {
    subject: 'Files that are open elsewhere',
    windows:
      'They cannot be replaced, for example while a spreadsheet shows them: status 1 after about a second. The answer is kept beside the file, with .partial after its name.',
    code: { 'src/io/files/regular-file.ts': /onceClosed\(\(\) => fs\.renameSync/ },
  },
  {
    subject: 'Patterns and quotes',
    windows:
      'syn expands *.txt, in quotes or without. cmd.exe knows double quotes only: write "*.txt" where these pages have \'*.txt\', and @FILE in place of JSON. Paths may have / or \\.',
    code: { 'src/fields/pattern.ts': /replaceAll\(sep, '\/'\)/ },
  },
  {
    subject: 'Paths below /dev',
    windows: 'There are none: use - for stdin, and leave out --output for stdout.',
    code: { 'src/io/files/stats.ts': /realpathSync\('\/dev\/fd'\)/ },
  },
  {
    subject: 'Completion',
    windows: 'There is none for PowerShell and cmd.exe.',
    code: { 'src/completion/shells.ts': /bash.*zsh.*fish/s },
  },
  {
    subject: 'Manual',
    windows: 'syn man prints the page as text: use syn man | more.',
    code: { 'src/commands/man.ts': /'win32'/ },
  },
  {
    subject: 'Encoding',
    windows:
      'With >, Windows PowerShell 5.1 writes UTF-16, which syn refuses as input, and in a pipe it may change letters outside ASCII. Use --output and --file, or PowerShell 7.',
    code: { 'src/io/text/first-bytes.ts': /'UTF-16'/ },
  },
]

/** Files that name a platform and belong to no row, with the reason. */
export const withoutRow: Readonly<Record<string, string>> = {
  'src/answer/notify.ts': 'names Windows Terminal, and gives a command its own session where that opens no window',
  'src/io/io.ts': 'says what the platform and the user are',
  'src/terminal/line-editor/keyboard.ts': 'names Windows Terminal, which may be at the other end of SSH',
  'src/conversation/conversation-file.ts': 'a discarded file that stays has no entries to read',
}

/** A list for each of the two. */
export function platformLists(): Section {
  return [...subsection('Windows', listOf('windows')), ...subsection('macOS', listOf('mac'))]
}

function listOf(platform: 'mac' | 'windows'): Section {
  return list(
    platformRows.flatMap(({ subject, [platform]: text }) =>
      text === undefined ? [] : [`.It ${prose(subject)}`, unbroken(prose(text))],
    ),
  )
}

/** Directories are not hyphenated, so that they can be copied. */
function unbroken(source: string): string {
  return source.replaceAll(/(?<=^| )(?=~\/|%\w)/gm, String.raw`\%`)
}
