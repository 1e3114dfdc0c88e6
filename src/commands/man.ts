import { defineCommand } from '../command.ts'
import { choicesText, invalidValue } from '../fields/problem.ts'
import { writeText } from '../io/io.ts'
import { quote } from '../io/json/print.ts'
import { editText } from '../io/process/editor.ts'
import { manPageNames, packageFile } from '../io/process/package.ts'
import { shownWord } from '../io/text/shell-word.ts'

/** Runs man, if it finds the file: in Ubuntu's containers, man succeeds, and prints how to install it. */
const viewer = '[ "$(man -w "$1" 2> /dev/null)" = "$1" ] && exec man'

export default defineCommand({
  description: 'On a terminal, man shows the page. Without man, and in a pipe, it is printed as text of 80 columns.',
  arguments: [{ name: 'name', help: 'Command, such as chat (default: syn itself)', completes: 'command' }],
  examples: [
    ['Show the page of a command', 'syn man chat'],
    ['Show the page of syn itself', 'syn man'],
    ['Search a page', 'syn man chat | grep -n timeout'],
  ],

  async run({ words: [word = 'syn'], io }) {
    const name = word.replace(/^syn-/, '')
    const names = manPageNames()
    const problem = { path: [], found: quote(shownWord(word)), expected: choicesText(names, name) }
    if (!names.includes(name)) throw invalidValue('NAME', problem)
    const page = name === 'syn' ? name : `syn-${name}`
    if (io.out.isTerminal && io.platform !== 'win32') {
      const source = packageFile(`man/${page}.1`)
      // man gets it as an editor gets a text: in a private file. It throws if there is no temporary folder.
      const shown = await editText(source, io, `${page}.1`, viewer).catch(() => undefined)
      if (shown && !shown.failure) return
      io.signal.throwIfAborted()
    }
    await writeText(io.out, packageFile(`dist/man/${page}.txt`))
  },
})
