/** What the program does differently on macOS and Windows, and the code that does it. */

import { directoryFor } from '../src/io/files/directories.ts'
import { literal, prose } from './macros.ts'
import { list, type Section, subsection } from './mdoc.ts'

interface PlatformRow {
  readonly subject: string
  /** Absent where it is as on Linux. */
  readonly mac?: string
  readonly windows?: string
  /** Paths below the folder of the project, each with what makes the difference there. */
  readonly code: Readonly<Record<string, RegExp>>
}

const mac = { platform: 'darwin', env: { HOME: '~' } } as const
const windows = { platform: 'win32', env: { APPDATA: '%APPDATA%', LOCALAPPDATA: '%LOCALAPPDATA%' } } as const

function directories(io: typeof mac | typeof windows): string {
  return `${directoryFor('config', io)} has the settings, ${directoryFor('cache', io)} the cache, and ${directoryFor('data', io)} conversations and the history, in files with the names below FILES. No XDG variable is read.`
}

const locks =
  'As on Linux, a lock is a folder, such as config.json.lock. A run that is killed leaves it, and the next run waits until it is five seconds old.'

export const platformRows: readonly PlatformRow[] = [
  {
    subject: 'Directories',
    mac: directories(mac),
    windows: directories(windows),
    code: { 'src/io/files/directories.ts': /'win32'[^]*'darwin'/ },
  },
  {
    subject: 'Permissions of files',
    windows:
      'Files have the permissions of their folder, and other users cannot open that of your profile. Modes are neither set nor checked.',
    code: { 'src/io/files/private.ts': /if \(user === undefined\) return undefined/ },
  },
  {
    subject: 'Key command',
    mac: 'The keychain prints a key with the command security, as syn-login(1) shows.',
    windows:
      'cmd.exe runs the command. Windows has no command that prints a stored password: use that of a password manager, or a script of PowerShell.',
    code: { 'src/settings/key.ts': /shell: true/, 'src/commands/login.ts': /keychain of macOS/ },
  },
  {
    subject: 'Programs in the working directory',
    windows:
      'A program is looked for on PATH only, while cmd.exe looks in the working directory first. Write .\\NAME for one that is there. With Node 20, the browser and a tool that is not on PATH are looked for there, too.',
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
    subject: 'Browser',
    mac: 'The command open opens the default browser.',
    windows: 'Windows opens the default browser. BROWSER is one program, without arguments, and no list.',
    code: { 'src/io/process/browser.ts': /'darwin'[^]*'win32'/ },
  },
  {
    subject: 'Clipboard',
    mac: '/copy in the chat uses pbcopy.',
    windows:
      '/copy in the chat asks the terminal to copy (OSC 52), as Windows Terminal does and older consoles do not.',
    code: { 'src/io/process/clipboard.ts': /'darwin' \? \['pbcopy'\]/ },
  },
  {
    subject: 'ANSI colors and links',
    windows:
      'The console shows 16 colors unless COLORTERM or TERM names more. Links can be clicked in Windows Terminal. Elsewhere syn makes none unless FORCE_HYPERLINK is set: older consoles print their addresses into the text.',
    code: { 'src/terminal/hyperlink.ts': /'win32'/, 'src/terminal/style.ts': /term\.includes\('256'\) \? 2 : 1/ },
  },
  {
    subject: 'Git Bash and MSYS2',
    windows:
      'In their own terminal, programs of Windows may find pipes in place of a terminal. syn then has no chat, no questions and no color: use winpty syn, or their shell in Windows Terminal.',
    code: { 'src/main.ts': /isatty\(0\) \? 'terminal'/ },
  },
  {
    subject: 'Ctrl-Z',
    windows: 'It does nothing in the chat: Windows suspends no program.',
    code: { 'src/terminal/line-editor/input-line.ts': /'win32'/ },
  },
  {
    subject: 'Ctrl-C while the output stands still',
    windows:
      'While text is selected in a console, output waits, and Ctrl-C ends syn only afterwards. On other systems Ctrl-C ends it at once, even if Ctrl-S has stopped the output.',
    code: { 'src/main.ts': /'win32'\) keepNonBlocking/ },
  },
  {
    subject: 'Signals',
    mac: "nohup is recognized, but not a shell that ignores the signal, as after trap '' HUP: there is no /proc that says so. syn then ends when the terminal is closed.",
    windows:
      'No program can send SIGHUP or SIGTERM. When the window is closed, Windows gives syn a few seconds to end as after SIGHUP. taskkill ends it at once; what has arrived of an answer is on the disk then, as after SIGKILL.',
    code: { 'src/main.ts': /\['SIGINT', 'SIGTERM', 'SIGHUP'\][^]*`\/proc\// },
  },
  {
    subject: 'Tools and MCP servers',
    windows:
      'A command may be a batch file, such as npx: cmd.exe runs it, and an argument with a % or a line break is refused. A tool also gets the variables without which hardly a program starts, such as APPDATA and SYSTEMROOT. taskkill ends it with all that it started; if it ends by itself, what it left running goes on.',
    code: {
      'src/io/process/process-group.ts': /'win32'/,
      'src/tools/environment.ts': /'win32' && passedOnWindows/,
      'src/main.ts': /'taskkill'/,
    },
  },
  { subject: 'Locks', mac: locks, windows: locks, code: { 'src/io/files/private.ts': /import\('proper-lockfile'\)/ } },
  {
    subject: 'Files that are open elsewhere',
    windows:
      'They cannot be replaced, for example while a spreadsheet shows them. syn tries for about a second, and fails with status 1 then. An answer is kept beside the file, with .partial after its name.',
    code: { 'src/io/files/regular-file.ts': /onceClosed\(\(\) => fs\.renameSync/ },
  },
  {
    subject: 'Patterns and quotes',
    windows:
      'No shell replaces *.txt by the files that match: syn does, in quotes or without. Write "*.txt" where these pages have \'*.txt\': cmd.exe knows double quotes only, and some shells take those inside an argument away. With @FILE in place of JSON no quotes are needed. Paths may have / or \\.',
    code: { 'src/fields/pattern.ts': /replaceAll\(sep, '\/'\)/ },
  },
  {
    subject: 'Paths below /dev',
    windows: 'There are none: use - for standard input, and leave out --output, or redirect it, for standard output.',
    code: { 'src/io/files/stats.ts': /realpathSync\('\/dev\/fd'\)/ },
  },
  {
    subject: 'Completion',
    mac: 'syn completion install writes where the shells look, which is as on Linux.',
    windows: 'syn completion install knows no place for PowerShell: add a line to $PROFILE, see syn-completion(1).',
    code: { 'src/completion/install.ts': /\$PROFILE[^]*platform: 'linux'/ },
  },
  {
    subject: 'Manual',
    windows: 'syn man prints the page as text, as Windows has no man: use syn man | more.',
    code: { 'src/commands/man.ts': /'win32'/ },
  },
  {
    subject: 'Encoding',
    windows:
      'With >, Windows PowerShell 5.1 writes UTF-16, which syn refuses as input, and in a pipe it may change letters outside ASCII. Use --output and --file, or PowerShell 7.',
    code: { 'src/io/text/encoding.ts': /probably UTF-16/ },
  },
]

/** Files that name a platform and belong to no row, with the reason. */
export const withoutRow: Readonly<Record<string, string>> = {
  'src/io/io.ts': 'says what the platform and the user are',
  'src/conversation/conversation-file.ts': 'a discarded file that stays has no entries to read',
}

/** A list for each of the two. */
export function platformLists(): Section {
  return [...subsection('Windows', listOf('windows')), ...subsection('macOS', listOf('mac'))]
}

function listOf(platform: 'mac' | 'windows'): Section {
  return list(
    platformRows.flatMap(({ subject, code, [platform]: text }) =>
      text === undefined ? [] : [`.It ${prose(subject)}`, unbroken(prose(text)), codeOf(code)],
    ),
  )
}

/** Directories are not hyphenated, so that they can be copied. */
function unbroken(source: string): string {
  return source.replaceAll(/(?<=^| )(?=~\/|%\w)/gm, String.raw`\%`)
}

function codeOf(code: PlatformRow['code']): string {
  const paths = Object.keys(code).join(',\n')
  return literal(`(${paths})`).replaceAll(/^/gm, String.raw`\%`)
}
