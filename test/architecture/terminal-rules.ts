/** How text gets to a terminal: only as SafeText, which only io/text/safe-text.ts makes. */

import type { Source } from './sources.ts'

const maker = 'io/text/safe-text.ts'

/** The functions that take the caller's word for it, and the files that may use them, each with its reason. */
const assertions: readonly { name: string; sites: Readonly<Record<string, string>> }[] = [
  {
    name: 'asSafeAs',
    sites: {
      'terminal/style.ts': 'chalk adds colors',
      'terminal/width.ts': 'cuts text, also with colors',
      'terminal/wrap-words.ts': 'wraps text, also with colors',
    },
  },
  {
    name: 'asSafeText',
    sites: {
      'terminal/markdown/renderer.ts': 'renders SafeText; entities in it are sanitized when they are decoded',
      'terminal/word-wrap.ts': 'wraps SafeText',
      'terminal/line-editor/ansi-painter.ts': 'moves the cursor between graphemes that the layout sanitized',
      'terminal/line-editor/line-painter.ts': 'adds backspaces to text that it sanitized',
    },
  },
  {
    name: 'textFor',
    sites: {
      'answer/text-printer.ts': 'colors may be forced in a pipe too',
      'conversation/transcript.ts': 'colors may be forced in a pipe too',
      'quota/view.ts': 'one function formats for the screen, a terminal and a pipe',
      'terminal/text-filter.ts': 'the filter for pipes changes nothing',
    },
  },
]

const bans: readonly { code: RegExp; except: RegExp; because: string }[] = [
  {
    code: /\bas\s+(?:unknown\s+as\s+)?[^;,)\n]*\bSafeText\b|(?<![\w$])<SafeText(?:\[\])?>\s*[\w$('"`[{]/,
    except: /^io\/text\/safe-text\.ts$/,
    because: `only ${maker} casts to SafeText`,
  },
  {
    code: /\bas\s+(?:any|never)\b/,
    except: /^$/,
    because: 'a cast to any or never would let any text pass as SafeText',
  },
  {
    code: /\bSafeText\s+as\s|\b(?:asSafeText|asSafeAs|textFor)\s+as\s|\*\s+as\s+\w+\s+from\s+'[^']*safe-text/,
    except: /^$/,
    because: `${maker} is imported by name: the rules look for these names`,
  },
  {
    code: /\b(?:out|err|sink|target)\??\.stream\b|\{[^{}]*\bstream\b[^{}]*\}\s*=\s*[\w.#]*\b(?:out|err|sink|target)\b/,
    except: /^(?:io\/process\/(?:text-)?question|terminal\/spinner)\.ts$/,
    because: 'only the libraries for questions and spinners get the stream of a terminal',
  },
  {
    code: /\bwriteSync\(\s*[12]\b|\bcreateWriteStream\(|\/dev\/(?:tty|std(?:out|err))\b|\bconsole\.\w/,
    except: /^main\.ts$/,
    because: 'text gets to a terminal through its sink',
  },
  {
    code: /from 'node:readline(?:\/promises)?'/,
    except: /^io\/process\/text-question\.ts$/,
    because: 'readline writes what is typed to the terminal',
  },
]

export function terminalViolations({ path, code }: Pick<Source, 'path' | 'code'>): string[] {
  if (path.startsWith('sandbox/')) return []
  const used = assertions.filter(
    ({ name, sites }) => path !== maker && !Object.hasOwn(sites, path) && new RegExp(`\\b${name}\\b`).test(code),
  )
  return [
    ...used.map(({ name, sites }) => `${path}: ${name} may be used only in ${Object.keys(sites).join(', ')}`),
    ...bans.flatMap((ban) => (ban.code.test(code) && !ban.except.test(path) ? [`${path}: ${ban.because}`] : [])),
  ]
}

/** The listed files that no longer use the function. */
export function unusedAssertions(sources: readonly Source[]): string[] {
  return assertions.flatMap(({ name, sites }) =>
    Object.keys(sites)
      .filter((site) => !sources.some(({ path, code }) => path === site && new RegExp(`\\b${name}\\b`).test(code)))
      .map((site) => `${site} does not use ${name}`),
  )
}
